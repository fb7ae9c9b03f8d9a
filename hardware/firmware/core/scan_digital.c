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

/* For so long CLOCK and LOAD rest after each edge. At 3.3 V a 74HC165 needs pulses of 35 ns, and DATA follows
   CLOCK after 71 ns; a resistor and a long wire add to that. A Pico's pins change within 8 ns. */
#define REST_US 1

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
        wait_us(REST_US);
        pin_low(CLOCK);
        wait_us(REST_US);
    }
    return bits;
}

void scan(void)
{
    pin_low(LOAD);
    wait_us(REST_US);
    pin_high(LOAD);
    wait_us(REST_US);
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
