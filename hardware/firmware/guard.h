/* Starts the firmware anew when its main loop stands still, and knows at the next start that it did. */
#ifndef GUARD_H
#define GUARD_H
#include <stdint.h>

/* Returns the cause of this start, as MCUSR has it; 0 where a boot loader has cleared it. Call it first. */
uint8_t guard_start(void);

/* Says that the main loop goes on. */
void guard_feed(void);

/* A millisecond has passed; called by the clock's interrupt. */
void guard_tick(void);

#endif
