/* Reed switches in a matrix: one row is pulled low, the columns have pull-ups, and a diode at each switch
   lets current flow from its column to its row only. */
#include "scan.h"
#include <avr/pgmspace.h>
#include <util/delay.h>
#include "pins.h"
#include "protocol.h"
#include "wiring.h"

static const struct pin rows[ROWS] = ROW_PINS, columns[COLUMNS] = COLUMN_PINS;
static const uint16_t addresses[SITES] PROGMEM = ADDRESSES;
static uint16_t closed[ROWS];

#define SETTLE_US 5

void scan_start(void)
{
    for (uint8_t i = 0; i < COLUMNS; i++)
        pin_release(columns[i]);
    for (uint8_t i = 0; i < ROWS; i++)
        pin_release(rows[i]);
}

static uint16_t read_low(const struct pin *pins, uint8_t count)
{
    uint16_t low = 0;
    for (uint8_t i = count; i--;)
        low = low << 1 | !pin_get(pins[i]);
    return low;
}

void scan(void)
{
    for (uint8_t row = 0; row < ROWS; row++) {
        pin_pull_down(rows[row]);
        _delay_us(SETTLE_US);
        closed[row] = read_low(columns, COLUMNS);
        pin_release(rows[row]);
    }
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

static uint8_t site_at(uint16_t address)
{
    for (uint8_t site = 0; site < SITES; site++)
        if (pgm_read_word(&addresses[site]) == address)
            return site;
    return NO_SITE;
}

/* One column a call, pulled low against the direction of the diodes: no row may follow it. */
uint8_t scan_for_bad_diode(void)
{
    static uint8_t column;
    column = (uint8_t)(column + 1) % COLUMNS;
    pin_pull_down(columns[column]);
    _delay_us(SETTLE_US);
    uint16_t low = read_low(rows, ROWS);
    pin_release(columns[column]);
    for (uint8_t row = 0; row < ROWS; row++)
        if (low >> row & 1)
            return site_at(row << 8 | column);
    return NO_SITE;
}
