#include "circuit.h"
#include <stddef.h>
#include "pins.h"
#include "wiring.h"

#define SIZE 16 /* rows, columns, registers, multiplexers or what hangs on each, at most */
#define REST 2048

static struct { uint8_t output, high, pull_up; } pins[CIRCUIT_PINS];
static uint16_t levels[SIZE + 8][SIZE]; /* for a switch: closed or open */
static uint8_t bridged[SIZE][SIZE];

static const uint16_t addresses[] = ADDRESSES;

static uint8_t is_wired(uint8_t row, uint8_t column)
{
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        if (addresses[i] == (row << 8 | column))
            return 1;
    return 0;
}

uint8_t circuit_set(uint8_t row, uint8_t column, uint16_t level)
{
    if (!is_wired(row, column))
        return 0;
    levels[row][column] = level;
    return 1;
}

uint8_t circuit_bridge(uint8_t row, uint8_t column)
{
    return is_wired(row, column) ? bridged[row][column] = 1 : 0;
}

void circuit_input(uint8_t pin, uint8_t pull_up)
{
    pins[pin].output = 0;
    pins[pin].pull_up = pull_up;
}

void circuit_output(uint8_t pin)
{
    pins[pin].output = 1;
}

#ifdef ROW_PINS
static const struct pin rows[ROWS] = ROW_PINS, columns[COLUMNS] = COLUMN_PINS;

void circuit_write(uint8_t pin, uint8_t high)
{
    pins[pin].high = high;
}

static uint8_t pulls_down(struct pin pin)
{
    return pins[pin.number].output && !pins[pin.number].high;
}

/* Current flows from columns through closed switches to rows, and the other way where a diode is bridged. */
static uint8_t spread(uint8_t *row_low, uint8_t *column_low)
{
    uint8_t changed = 0;
    for (uint8_t r = 0; r < ROWS; r++)
        for (uint8_t c = 0; c < COLUMNS; c++) {
            if (!levels[r][c])
                continue;
            if (row_low[r] && !column_low[c])
                changed = column_low[c] = 1;
            if (column_low[c] && bridged[r][c] && !row_low[r])
                changed = row_low[r] = 1;
        }
    return changed;
}

uint8_t circuit_read(uint8_t pin)
{
    uint8_t row_low[ROWS], column_low[COLUMNS];
    for (uint8_t r = 0; r < ROWS; r++)
        row_low[r] = pulls_down(rows[r]);
    for (uint8_t c = 0; c < COLUMNS; c++)
        column_low[c] = pulls_down(columns[c]);
    while (spread(row_low, column_low))
        ;
    for (uint8_t r = 0; r < ROWS; r++)
        if (rows[r].number == pin)
            return pins[pin].pull_up && !row_low[r];
    for (uint8_t c = 0; c < COLUMNS; c++)
        if (columns[c].number == pin)
            return pins[pin].pull_up && !column_low[c];
    return 0;
}

uint16_t circuit_level(uint8_t pin)
{
    return circuit_read(pin) ? 4095 : 0;
}
#endif

#ifdef SHIFT_PINS
static const struct pin shift[3] = SHIFT_PINS;
static uint8_t latched[REGISTERS * REGISTER_INPUTS];
static uint16_t shifted;

static void latch(void)
{
    for (uint16_t i = 0; i < sizeof latched; i++) /* input H, the highest, comes out first */
        latched[i] = levels[i / REGISTER_INPUTS][REGISTER_INPUTS - 1 - i % REGISTER_INPUTS] != 0;
    shifted = 0;
}

void circuit_write(uint8_t pin, uint8_t high)
{
    uint8_t rises = high && !pins[pin].high;
    pins[pin].high = high;
    if (pin == shift[0].number && !high)
        latch();
    if (pin == shift[1].number && rises)
        shifted++;
}

/* A closed switch pulls its input low. What is shifted in at the end of the chain is high. */
uint8_t circuit_read(uint8_t pin)
{
    if (pin == shift[2].number && !pins[pin].output)
        return shifted >= sizeof latched || !latched[shifted];
    return 0;
}

uint16_t circuit_level(uint8_t pin)
{
    return circuit_read(pin) ? 4095 : 0;
}
#endif

#ifdef SELECT_PINS
static const struct pin select_pins[4] = SELECT_PINS, adc_pins[] = ADC_PINS;

void circuit_write(uint8_t pin, uint8_t high)
{
    pins[pin].high = high;
}

uint8_t circuit_read(uint8_t pin)
{
    return pins[pin].pull_up;
}

static uint16_t selected(uint8_t multiplexer)
{
    uint8_t input = 0;
    for (uint8_t i = 0; i < 4; i++)
        input |= pins[select_pins[i].number].high << i;
    uint16_t level = levels[multiplexer][input];
    return level ? level : REST;
}

uint16_t circuit_level(uint8_t pin)
{
#ifdef ENABLE_PINS
    static const struct pin enable_pins[MULTIPLEXERS] = ENABLE_PINS;
    uint32_t sum = 0, count = 0; /* several that are enabled at once work against each other */
    for (uint8_t m = 0; m < MULTIPLEXERS; m++)
        if (pin == adc_pins[0].number && pins[enable_pins[m].number].output && !pins[enable_pins[m].number].high) {
            sum += selected(m);
            count++;
        }
    return count ? sum / count : 0;
#else
    for (uint8_t m = 0; m < MULTIPLEXERS; m++)
        if (adc_pins[m].number == pin)
            return selected(m);
    return 0;
#endif
}
#endif
