/* Linear Hall sensors behind 16-way CD74HC4067 multiplexers, one on each input of the converter. A level
   above rest is a north pole, below it a south pole. */
#include "scan.h"
#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <util/delay.h>
#include "pins.h"
#include "protocol.h"
#include "wiring.h"

/* The tuning until the companion sends another one: the level at rest, and distances from it, in counts. */
#define REST_LEVEL 512
#define PRESS_DISTANCE 60
#define RELEASE_DISTANCE 40
#define SETTLE_US 4

static const struct pin select[4] = SELECT_PINS;
static const uint16_t addresses[SITES] PROGMEM = ADDRESSES;
static uint16_t levels[MULTIPLEXERS * INPUTS];
static struct { uint16_t rest; uint8_t press, release; } tuning[SITES];

EMPTY_INTERRUPT(ADC_vect)

void scan_start(void)
{
    for (uint8_t i = 0; i < 4; i++)
        pin_pull_down(select[i]);
    for (uint8_t i = 0; i < SITES; i++)
        scan_tune(i, REST_LEVEL, PRESS_DISTANCE, RELEASE_DISTANCE);
    DIDR0 = (1 << (MULTIPLEXERS < 6 ? MULTIPLEXERS : 6)) - 1;
    ADCSRA = 1 << ADEN | 1 << ADIE | 1 << ADPS2 | 1 << ADPS1; /* 250 kHz: 52 us for each reading */
}

/* Sleeps until the converter is done: less noise, and nothing to do before that. */
static uint16_t convert(uint8_t multiplexer)
{
    ADMUX = 1 << REFS0 | (multiplexer & 7);
#ifdef MUX5
    ADCSRB = multiplexer & 8 ? 1 << MUX5 : 0;
#endif
    ADCSRA |= 1 << ADSC;
    set_sleep_mode(SLEEP_MODE_IDLE);
    for (;;) {
        cli();
        if (!(ADCSRA & 1 << ADSC))
            break;
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
    return ADC;
}

static void select_input(uint8_t input)
{
    for (uint8_t i = 0; i < 4; i++)
        if (input >> i & 1)
            pin_high(select[i]);
        else
            pin_low(select[i]);
    _delay_us(SETTLE_US);
}

void scan(void)
{
    for (uint8_t input = 0; input < INPUTS; input++) {
        select_input(input);
        for (uint8_t m = 0; m < MULTIPLEXERS; m++)
            levels[m * INPUTS + input] = convert(m);
    }
}

uint16_t scan_level(uint8_t site)
{
    uint16_t address = pgm_read_word(&addresses[site]);
    return levels[(address >> 8) * INPUTS + (address & 255)];
}

uint8_t scan_state(uint8_t site, uint8_t before)
{
    int16_t above = (int16_t)(scan_level(site) - tuning[site].rest);
    uint8_t side = above < 0 ? STATE_SOUTH : STATE_NORTH;
    uint16_t distance = above < 0 ? -above : above;
    return distance >= (side == before ? tuning[site].release : tuning[site].press) ? side : STATE_OPEN;
}

void scan_tune(uint8_t site, uint16_t rest, uint8_t press, uint8_t release)
{
    tuning[site].rest = rest;
    tuning[site].press = press;
    tuning[site].release = release;
}

uint8_t scan_for_bad_diode(void)
{
    return NO_SITE;
}
