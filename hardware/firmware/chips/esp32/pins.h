#ifndef PINS_H
#define PINS_H
#include <stdint.h>
#include <esp32-hal-gpio.h>

struct pin { uint8_t number; };

#define PIN(number) {number}

static inline uint8_t pin_get(struct pin pin) { return digitalRead(pin.number) != LOW; }
static inline void pin_high(struct pin pin) { digitalWrite(pin.number, HIGH); }
static inline void pin_low(struct pin pin) { digitalWrite(pin.number, LOW); }
static inline void pin_output(struct pin pin) { pinMode(pin.number, OUTPUT); }

/* An input with its pull-up, and an output that is low. */
static inline void pin_release(struct pin pin) { pinMode(pin.number, INPUT_PULLUP); }

static inline void pin_pull_down(struct pin pin)
{
    pinMode(pin.number, OUTPUT);
    digitalWrite(pin.number, LOW);
}

#endif
