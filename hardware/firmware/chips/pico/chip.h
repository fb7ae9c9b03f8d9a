/* RP2040 by way of the Pico SDK: what the core needs besides pins. */
#ifndef CHIP_H
#define CHIP_H
#include <stdint.h>
#include <pico/time.h>

#define IN_FLASH
#define wait_us busy_wait_us_32

/* A released wire rises through its pull-up of 80 kOhm at most: 400 pF take 30 us. */
#define RISE_US 40

static inline uint16_t flash_word(const uint16_t *word) { return *word; }
static inline void interrupts_on(void) {}

#endif
