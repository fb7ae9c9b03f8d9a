/* Milliseconds since the start. */
#ifndef CLOCK_H
#define CLOCK_H
#include <stdint.h>

void clock_start(void);
uint32_t now_ms(void);

#endif
