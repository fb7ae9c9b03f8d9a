/* The clock and the line of a chip that is not there. */
#ifndef SCRIPT_H
#define SCRIPT_H
#include <stdint.h>

uint32_t script_ms(void);

/* The line, which takes and brings 11 bytes in a millisecond. */
uint8_t line_room(void);
void line_send(uint8_t byte);
uint8_t line_idle(void);
int16_t line_next(void);

/* What a chip's layer defines: the start, and a round of its main loop. */
void setup(void);
void loop(void);

/* Returns the bytes that the lamps show, where there are lamps. */
const uint8_t *script_lamps(uint16_t *size);

#endif
