/* Digital Hall sensors (or reed switches with a wire each) on a chain of 74HC165 shift registers. Their
   outputs pull low when a magnet is there. */
#include "scan.h"
#include "chip.h"
#include "pins.h"
#include "switches.h"
#include "wiring.h"

static const struct pin pins[3] = SHIFT_PINS;
static uint8_t closed[REGISTERS];

#define LOAD pins[0]
#define CLOCK pins[1]
#define DATA pins[2]

void scan_start(void)
{
    pin_high(LOAD);
    pin_output(LOAD);
    pin_pull_down(CLOCK);
    pin_release(DATA);
}

static uint8_t shift_register(void)
{
    uint8_t bits = 0;
    for (uint8_t i = 0; i < REGISTER_INPUTS; i++) {
        bits = bits << 1 | !pin_get(DATA);
        pin_high(CLOCK);
        pin_low(CLOCK);
    }
    return bits;
}

void scan(void)
{
    pin_low(LOAD);
    wait_us(1);
    pin_high(LOAD);
    for (uint8_t i = 0; i < REGISTERS; i++)
        closed[i] = shift_register();
}

uint8_t switch_is_closed(uint8_t chip, uint8_t input)
{
    return closed[chip] >> input & 1;
}

uint8_t scan_for_bad_diode(void)
{
    return NO_SITE;
}
