/* Digital Hall sensors (or reed switches with a wire each) on a chain of 74HC165 shift registers. Their
   outputs pull low when a magnet is there. */
#include "scan.h"
#include <avr/pgmspace.h>
#include <util/delay.h>
#include "pins.h"
#include "protocol.h"
#include "wiring.h"

static const struct pin pins[3] = SHIFT_PINS;
static const uint16_t addresses[SITES] PROGMEM = ADDRESSES;
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
    _delay_us(1);
    pin_high(LOAD);
    for (uint8_t i = 0; i < REGISTERS; i++)
        closed[i] = shift_register();
}

static uint8_t is_closed(uint8_t site)
{
    uint16_t address = pgm_read_word(&addresses[site]);
    return closed[address >> 8] >> (address & 255) & 1;
}

uint16_t scan_level(uint8_t site)
{
    return is_closed(site) ? LEVEL_MAX : 0;
}

uint8_t scan_state(uint8_t site, uint8_t before)
{
    (void)before;
    return is_closed(site) ? STATE_NORTH : STATE_OPEN;
}

void scan_tune(uint8_t site, uint16_t rest, uint8_t press, uint8_t release)
{
    (void)site, (void)rest, (void)press, (void)release;
}

uint8_t scan_for_bad_diode(void)
{
    return NO_SITE;
}
