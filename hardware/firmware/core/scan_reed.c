/* Reed switches in a matrix: one row is pulled low, the columns have pull-ups, and a diode at each switch
   lets current flow from its column to its row only. */
#include "scan.h"
#include "chip.h"
#include "pins.h"
#include "switches.h"
#include "wiring.h"

static const struct pin rows[ROWS] = ROW_PINS, columns[COLUMNS] = COLUMN_PINS;
static uint16_t closed[ROWS];

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
        wait_us(RISE_US);
        closed[row] = read_low(columns, COLUMNS);
        pin_release(rows[row]);
    }
}

uint8_t switch_is_closed(uint8_t row, uint8_t column)
{
    return closed[row] >> column & 1;
}

/* Each call pulls one column low, against the direction of the diodes: no row may follow it. */
uint8_t scan_for_bad_diode(void)
{
    static uint8_t column;
    column = (uint8_t)(column + 1) % COLUMNS;
    pin_pull_down(columns[column]);
    wait_us(RISE_US);
    uint16_t low = read_low(rows, ROWS);
    pin_release(columns[column]);
    for (uint8_t row = 0; row < ROWS; row++)
        if (low >> row & 1)
            return switch_site(row, column);
    return NO_SITE;
}
