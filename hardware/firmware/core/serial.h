/* The line to the companion: a serial port or USB, behind buffers. Nothing here waits. */
#ifndef SERIAL_H
#define SERIAL_H
#include <stdint.h>

void serial_start(void);

/* Returns for how many bytes to send there is room; send no more than that. */
uint8_t serial_room(void);
void serial_send(const uint8_t *bytes, uint8_t size);
uint8_t serial_idle(void);

/* Returns the next byte that came in, or -1. */
int16_t serial_next(void);

/* Returns how many bytes came in and found no room since the last call. */
uint16_t serial_lost(void);

#endif
