/* Linear Hall sensors behind 16-way CD74HC4067 multiplexers, one on each input of the converter. A level
   above rest is a north pole, below it a south pole. */
#include "scan.h"
#include "adc.h"
#include "chip.h"
#include "pins.h"
#include "protocol.h"
#include "wiring.h"

/* The tuning until the companion sends another one: the level at rest, and distances from it, in counts. */
#define REST_LEVEL 512
#define PRESS_DISTANCE 60
#define RELEASE_DISTANCE 40
#define SETTLE_US 4

/* Levels at rest move with the supply, all alike, and with warmth, each by its own. */
#define DRIFT_MAX 40     /* counts: 4 % of the supply */
#define DRIFT_SCANS 16   /* the scans that vote on whether all levels move on by a count */
#define VOTERS_MIN 4     /* sites that have to be open for that */
#define REST_SCANS 128   /* the scans after which a site's own rest moves on by a count */
#define REST_SLACK 2     /* counts that noise accounts for */

static const struct pin select_pins[4] = SELECT_PINS;
#ifdef ENABLE_PINS
static const struct pin enable_pins[MULTIPLEXERS] = ENABLE_PINS;
#endif
static const uint16_t addresses[SITES] IN_FLASH = ADDRESSES;
static uint16_t levels[MULTIPLEXERS * INPUTS];
static struct { uint16_t rest; uint8_t press, release; } tuning[SITES];
static int8_t drift; /* how far all levels at rest have moved since they were tuned */
static struct { uint16_t open; int16_t above; } votes;
static uint8_t scans;

/* Multiplexers that share an input of the converter are enabled one at a time; others are so by their wiring. */
#ifdef ENABLE_PINS
static void start_multiplexers(void)
{
    for (uint8_t m = 0; m < MULTIPLEXERS; m++) {
        pin_high(enable_pins[m]);
        pin_output(enable_pins[m]);
    }
}

static uint16_t level_of(uint8_t multiplexer)
{
    pin_low(enable_pins[multiplexer]);
    wait_us(SETTLE_US);
    uint16_t level = adc_level(0);
    pin_high(enable_pins[multiplexer]);
    return level;
}
#else
static void start_multiplexers(void) {}

static uint16_t level_of(uint8_t multiplexer)
{
    return adc_level(multiplexer);
}
#endif

void scan_start(void)
{
    for (uint8_t i = 0; i < 4; i++)
        pin_pull_down(select_pins[i]);
    start_multiplexers();
    for (uint8_t i = 0; i < SITES; i++)
        scan_tune(i, REST_LEVEL, PRESS_DISTANCE, RELEASE_DISTANCE);
    adc_start();
}

static void select_input(uint8_t input)
{
    for (uint8_t i = 0; i < 4; i++)
        if (input >> i & 1)
            pin_high(select_pins[i]);
        else
            pin_low(select_pins[i]);
    wait_us(SETTLE_US);
}

/* Three quarters of the readings of open sites on one side make a count: pieces that are hardly felt do not. */
static void follow_drift(void)
{
    int16_t above = votes.above;
    if (votes.open >= VOTERS_MIN * DRIFT_SCANS) {
        if (above > (int16_t)(votes.open / 2) && drift < DRIFT_MAX)
            drift++;
        else if (-above > (int16_t)(votes.open / 2) && drift > -DRIFT_MAX)
            drift--;
    }
    votes.open = 0;
    votes.above = 0;
}

/* Only a site that is open counts. What stands on one that is not keeps its signal, however long it rests. */
static void note_open(uint8_t site, int16_t above)
{
    int8_t side = (above > 0) - (above < 0);
    votes.open++;
    votes.above += side;
    if (scans % REST_SCANS == 0 && (above > REST_SLACK || above < -REST_SLACK))
        tuning[site].rest += side;
}

void scan(void)
{
    if (++scans % DRIFT_SCANS == 0)
        follow_drift();
    for (uint8_t input = 0; input < INPUTS; input++) {
        select_input(input);
        for (uint8_t m = 0; m < MULTIPLEXERS; m++)
            levels[m * INPUTS + input] = level_of(m);
    }
}

uint16_t scan_level(uint8_t site)
{
    uint16_t address = flash_word(&addresses[site]);
    return levels[(address >> 8) * INPUTS + (address & 255)];
}

uint8_t scan_state(uint8_t site, uint8_t before)
{
    int16_t above = (int16_t)(scan_level(site) - tuning[site].rest) - drift;
    uint8_t side = above < 0 ? STATE_SOUTH : STATE_NORTH;
    uint16_t distance = above < 0 ? -above : above;
    if (distance >= (side == before ? tuning[site].release : tuning[site].press))
        return side;
    if (before == STATE_OPEN)
        note_open(site, above);
    return STATE_OPEN;
}

void scan_tune(uint8_t site, uint16_t rest, uint8_t press, uint8_t release)
{
    tuning[site].rest = rest;
    tuning[site].press = press;
    tuning[site].release = release;
    drift = 0; /* the companion tunes by levels as they are now */
}

uint8_t scan_for_bad_diode(void)
{
    return NO_SITE;
}
