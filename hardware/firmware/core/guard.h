/* Starts the firmware anew when its main loop stands still, and knows at the next start that it did. */
#ifndef GUARD_H
#define GUARD_H
#include <stdint.h>

/* The causes of a start, as Hello tells them. */
#define RESET_POWER 1
#define RESET_BUTTON 2
#define RESET_LOW_VOLTAGE 4
#define RESET_STALL 8 /* the main loop stood still */

/* Returns the cause of this start; 0 where a boot loader has cleared it. Call it first. */
uint8_t guard_start(void);

/* Says that the main loop goes on. */
void guard_feed(void);

#endif
