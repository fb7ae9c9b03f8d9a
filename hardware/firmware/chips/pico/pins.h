/* A pin by its number, as GP0 to GP28. `main` has given all of them to the processor. */
#ifndef PINS_H
#define PINS_H
#include <stdint.h>
#include <hardware/gpio.h>

struct pin { uint8_t number; };

#define PIN(number) {number}

static inline uint8_t pin_get(struct pin pin) { return gpio_get(pin.number); }
static inline void pin_high(struct pin pin) { gpio_put(pin.number, 1); }
static inline void pin_low(struct pin pin) { gpio_put(pin.number, 0); }
static inline void pin_output(struct pin pin) { gpio_set_dir(pin.number, GPIO_OUT); }

/* An input with its pull-up, and an output that is low, without a moment as a high output. */
static inline void pin_release(struct pin pin)
{
    gpio_set_dir(pin.number, GPIO_IN);
    gpio_pull_up(pin.number);
}

static inline void pin_pull_down(struct pin pin)
{
    pin_low(pin);
    pin_output(pin);
}

#endif
