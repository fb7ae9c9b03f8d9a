#ifndef PINS_H
#define PINS_H
#include "circuit.h"

struct pin { uint8_t number; };

#define PIN(number) {number}

static inline uint8_t pin_get(struct pin pin) { return circuit_read(pin.number); }
static inline void pin_high(struct pin pin) { circuit_write(pin.number, 1); }
static inline void pin_low(struct pin pin) { circuit_write(pin.number, 0); }
static inline void pin_output(struct pin pin) { circuit_output(pin.number); }
static inline void pin_release(struct pin pin) { circuit_input(pin.number, 1); }

static inline void pin_pull_down(struct pin pin)
{
    pin_low(pin);
    pin_output(pin);
}

#endif
