/* A pin as the address of its PIN register; on these chips DDR and PORT are the two after it. */
#ifndef PINS_H
#define PINS_H
#include <avr/io.h>
#include <stdint.h>

struct pin {
    volatile uint8_t *in;
    uint8_t mask;
};

#define PIN(port, bit) {&PIN##port, 1 << (bit)}

static inline uint8_t pin_get(struct pin pin) { return *pin.in & pin.mask; }
static inline void pin_high(struct pin pin) { pin.in[2] |= pin.mask; }
static inline void pin_low(struct pin pin) { pin.in[2] &= ~pin.mask; }
static inline void pin_output(struct pin pin) { pin.in[1] |= pin.mask; }
static inline void pin_input(struct pin pin) { pin.in[1] &= ~pin.mask; }

/* An input with its pull-up, and an output that is low, without a moment as a high output. */
static inline void pin_release(struct pin pin)
{
    pin_input(pin);
    pin_high(pin);
}

static inline void pin_pull_down(struct pin pin)
{
    pin_low(pin);
    pin_output(pin);
}

#endif
