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

#define ACCESS_NS 8 /* for which a Pico is busy with a pin */
static uint64_t now_ns;

void circuit_wait(uint32_t ns)
{
    now_ns += ns;
}

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
/* A 74HC165 at 3.3 V and 25 degrees, between the limits of its data sheet at 2 V and 4.5 V. An edge of CLOCK counts
   where CLOCK and LOAD were at rest before it, and CLOCK is at rest after it; DATA follows it late. */
#define REST_NS 35
#define FOLLOW_NS 71

static const struct pin shift[3] = SHIFT_PINS;
static uint8_t latched[REGISTERS * REGISTER_INPUTS];
static uint16_t shifted;
static uint64_t edge_ns[CIRCUIT_PINS]; /* when each pin changed last */
static uint64_t rose_ns;
static uint8_t is_following; /* CLOCK has risen, and DATA is still what it was */

static uint64_t rest_ns(struct pin pin)
{
    return now_ns - edge_ns[pin.number];
}

static void latch(void)
{
    for (uint16_t i = 0; i < sizeof latched; i++) /* input H, the highest, comes out first */
        latched[i] = levels[i / REGISTER_INPUTS][REGISTER_INPUTS - 1 - i % REGISTER_INPUTS] != 0;
    shifted = is_following = 0;
}

static void follow(void)
{
    if (is_following && now_ns - rose_ns >= FOLLOW_NS) {
        is_following = 0;
        shifted++;
    }
}

void circuit_write(uint8_t pin, uint8_t high)
{
    circuit_wait(ACCESS_NS);
    follow();
    if (pins[pin].high == high)
        return;
    if (pin == shift[0].number && high && rest_ns(shift[0]) >= REST_NS)
        latch();
    if (pin == shift[1].number && high) {
        is_following = rest_ns(shift[1]) >= REST_NS && rest_ns(shift[0]) >= REST_NS;
        rose_ns = now_ns;
    }
    if (pin == shift[1].number && !high && rest_ns(shift[1]) < REST_NS)
        is_following = 0;
    pins[pin].high = high;
    edge_ns[pin] = now_ns;
}

/* A closed switch pulls its input low. What is shifted in at the end of the chain is high. */
uint8_t circuit_read(uint8_t pin)
{
    circuit_wait(ACCESS_NS);
    follow();
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
