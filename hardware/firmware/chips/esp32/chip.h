/* ESP32-S3 by way of Arduino's core for it: what the firmware's core needs besides pins. */
#ifndef CHIP_H
#define CHIP_H
#include <stdint.h>
#include <esp32-hal.h>

#define IN_FLASH
#define wait_us delayMicroseconds

/* A released wire rises through its pull-up of 45 kOhm, give or take half: 400 pF take 37 us. */
#define RISE_US 50

static inline uint16_t flash_word(const uint16_t *word) { return *word; }
static inline void interrupts_on(void) {}

#endif
