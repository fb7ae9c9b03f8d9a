/* No chip: the firmware as a program of this computer, for tests (see sim/script.c). */
#ifndef CHIP_H
#define CHIP_H
#include <stdint.h>
#include "circuit.h"

#define IN_FLASH
#define RISE_US 0

static inline uint16_t flash_word(const uint16_t *word) { return *word; }
static inline void wait_us(uint16_t us) { circuit_wait(1000u * us); }
static inline void interrupts_on(void) {}

#endif
