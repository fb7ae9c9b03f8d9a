#include "wires.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <simavr/avr_adc.h>

#define SIZE 32 /* rows and columns, registers, multiplexers, and what hangs on each */
#define PINS 16
#define REST_MV 2500
#define USUAL_MV 5000
#define RECOVERY (18 * CYCLES_OF_A_MICROSECOND) /* 400 pF of wire at a pull-up of 50 kOhm */

struct pin { uint16_t in; uint8_t mask; };
struct group { int count; struct pin pins[PINS]; };

static avr_t *avr;
static struct group rows, columns, selects, shift, lamps;
static uint8_t closed[SIZE][SIZE], bridged[SIZE][SIZE];
static int level[SIZE][SIZE];
static int noise, rail = USUAL_MV;

/* ---- pins, read and driven in the chip's memory: PIN, DDR and PORT are neighbours ---- */

static struct pin pin_of(const char *name)
{
    static const struct { char port; uint16_t in; } ports[] = {
        {'A', 0x20}, {'B', 0x23}, {'C', 0x26}, {'D', 0x29}, {'E', 0x2c}, {'F', 0x2f},
        {'G', 0x32}, {'H', 0x100}, {'J', 0x103}, {'K', 0x106}, {'L', 0x109},
    };
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        if (ports[i].port == name[0])
            return (struct pin){ports[i].in, 1 << (name[1] - '0')};
    fprintf(stderr, "no pin %s\n", name);
    exit(2);
}

static int is_output(struct pin pin) { return avr->data[pin.in + 1] & pin.mask; }
static int is_high(struct pin pin) { return avr->data[pin.in + 2] & pin.mask; }

static void drive(struct pin pin, int high)
{
    if (high)
        avr->data[pin.in] |= pin.mask;
    else
        avr->data[pin.in] &= ~pin.mask;
}

/* ---- a matrix: what is pulled low spreads through closed switches, forwards through their diodes ---- */

static int spread(uint8_t *row_low, uint8_t *column_low)
{
    int changed = 0;
    for (int r = 0; r < rows.count; r++)
        for (int c = 0; c < columns.count; c++) {
            if (!closed[r][c])
                continue;
            if (row_low[r] && !column_low[c])
                changed = column_low[c] = 1;
            if (column_low[c] && bridged[r][c] && !row_low[r])
                changed = row_low[r] = 1;
        }
    return changed;
}

static void pulled(const struct group *group, uint8_t *low)
{
    for (int i = 0; i < group->count; i++)
        low[i] = is_output(group->pins[i]) && !is_high(group->pins[i]);
}

/* A wire falls at once, and rises only as fast as its pull-up charges it. */
struct wire { uint8_t was_low; avr_cycle_count_t risen; };
static avr_cycle_count_t next_risen; /* of the wires that are rising; 0 when none is */

static int is_up(struct wire *wire, int low)
{
    if (wire->was_low && !low)
        wire->risen = avr->cycle + RECOVERY;
    wire->was_low = low;
    if (!low && wire->risen > avr->cycle && (!next_risen || wire->risen < next_risen))
        next_risen = wire->risen;
    return !low && wire->risen <= avr->cycle;
}

static void drive_group(const struct group *group, struct wire *wires, const uint8_t *low)
{
    for (int i = 0; i < group->count; i++)
        drive(group->pins[i], is_up(&wires[i], low[i]) && is_high(group->pins[i]));
}

static void settle_matrix(void)
{
    static struct wire row_wires[PINS], column_wires[PINS];
    uint8_t row_low[PINS], column_low[PINS];
    pulled(&rows, row_low);
    pulled(&columns, column_low);
    while (spread(row_low, column_low))
        ;
    next_risen = 0;
    drive_group(&rows, row_wires, row_low);
    drive_group(&columns, column_wires, column_low);
}

/* What each port of the matrix drives, and what it then reads: settled anew only when that changes. */
static struct { uint16_t in; uint8_t ddr, port, pin; } seen[2 * PINS];
static int ports, moved;

static void note_ports(const struct group *group)
{
    for (int i = 0; i < group->count; i++) {
        int known = 0;
        while (known < ports && seen[known].in != group->pins[i].in)
            known++;
        seen[known].in = group->pins[i].in;
        if (known == ports)
            ports++;
    }
}

static void wire_matrix(void)
{
    for (int i = 0; i < ports; i++) {
        uint8_t *data = avr->data + seen[i].in;
        moved |= data[1] != seen[i].ddr || data[2] != seen[i].port;
    }
    moved |= next_risen && next_risen <= avr->cycle;
    if (moved)
        settle_matrix();
    for (int i = 0; i < ports; i++) {
        uint8_t *data = avr->data + seen[i].in;
        if (!moved)
            data[0] = seen[i].pin; /* the chip's own writes go over it */
        seen[i].pin = data[0], seen[i].ddr = data[1], seen[i].port = data[2];
    }
    moved = 0;
}

/* ---- switches that look at their magnet only now and then, each at a time of its own ---- */

static avr_cycle_count_t interval, phase[SIZE][SIZE], changed[SIZE][SIZE];
static uint8_t held[SIZE][SIZE];

/* What a switch says: what was there when it looked last. */
static int switched(int r, int c)
{
    if (!interval || changed[r][c] <= avr->cycle - (avr->cycle + phase[r][c]) % interval)
        held[r][c] = closed[r][c];
    return held[r][c];
}

static void sample(int hertz)
{
    interval = hertz ? HZ / hertz : 0;
    for (int i = 0; i < SIZE * SIZE; i++)
        phase[i / SIZE][i % SIZE] = hertz ? rand() % interval : 0;
}

/* ---- a chain of 74HC165: input 7 of the nearest register comes first ---- */

static void wire_shift(void)
{
    static int at, clock_was;
    int clock = is_high(shift.pins[1]);
    if (!is_high(shift.pins[0]))
        at = 0;
    else if (clock && !clock_was)
        at++;
    clock_was = clock;
    drive(shift.pins[2], at >= SIZE * 8 || !switched(at / 8, 7 - at % 8));
}

/* ---- linear sensors behind 4067 multiplexers, one on each input of the converter ---- */

static void convert(avr_irq_t *irq, uint32_t value, void *param)
{
    avr_adc_mux_t mux = {0};
    int input = 0;
    (void)irq, (void)param;
    memcpy(&mux, &value, sizeof value);
    for (int i = 0; i < selects.count; i++)
        input |= (is_high(selects.pins[i]) ? 1 : 0) << i;
    if (mux.kind != ADC_MUX_SINGLE || mux.src >= SIZE)
        return;
    int mv = level[mux.src][input] * rail / USUAL_MV + (noise ? rand() % (2 * noise + 1) - noise : 0);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + mux.src), mv < 0 ? 0 : mv);
}

/* ---- lamps: the length of a pulse is its bit, a long pause shows what came ---- */

static uint8_t coming[3 * 256], shown[3 * 256];
static int bits, shown_bits;

static void latch(void)
{
    memcpy(shown, coming, sizeof shown);
    shown_bits = bits;
    bits = 0;
}

static void watch_lamps(void)
{
    static int was;
    static avr_cycle_count_t edge;
    int high = is_high(lamps.pins[0]);
    if (bits && !high && avr->cycle - edge > 50 * CYCLES_OF_A_MICROSECOND)
        latch();
    if (high == was)
        return;
    if (was && bits < (int)sizeof coming * 8) {
        uint8_t mask = 0x80 >> bits % 8;
        coming[bits / 8] &= ~mask;
        if (avr->cycle - edge > CYCLES_OF_A_MICROSECOND * 9 / 16)
            coming[bits / 8] |= mask;
        bits++;
    }
    edge = avr->cycle;
    was = high;
}

/* ---- what the board does with them ---- */

static void read_group(struct group *group, char *names)
{
    for (char *name = strtok(names, " \n"); name; name = strtok(NULL, " \n"))
        group->pins[group->count++] = pin_of(name);
    if (group == &rows || group == &columns)
        note_ports(group);
}

int wires_site(const char *verb, int r, int c, int value)
{
    if (r < 0 || r >= SIZE || c < 0 || c >= SIZE)
        return 0;
    if (!strcmp(verb, "close") || !strcmp(verb, "open")) {
        switched(r, c);
        closed[r][c] = verb[0] == 'c';
        changed[r][c] = avr->cycle;
    } else if (!strcmp(verb, "level"))
        level[r][c] = value;
    else if (!strcmp(verb, "diode"))
        bridged[r][c] = !value;
    else
        return 0;
    moved = 1;
    return 1;
}

int wires_group(const char *verb, char *names)
{
    static const struct { const char *name; struct group *group; } groups[] = {
        {"rows", &rows}, {"columns", &columns}, {"select", &selects}, {"shift", &shift}, {"lamps", &lamps},
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (!strcmp(verb, groups[i].name)) {
            read_group(groups[i].group, names);
            return 1;
        }
    return 0;
}

int wires_all(const char *verb, int value)
{
    if (!strcmp(verb, "noise"))
        noise = value;
    else if (!strcmp(verb, "rail"))
        rail = value;
    else if (!strcmp(verb, "sample"))
        sample(value);
    else
        return 0;
    return 1;
}

const uint8_t *wires_lamps(int *size)
{
    *size = shown_bits / 8;
    return shown;
}

void wires_follow(void)
{
    if (rows.count)
        wire_matrix();
    if (shift.count)
        wire_shift();
    if (lamps.count)
        watch_lamps();
}

void wires_connect(avr_t *chip)
{
    avr = chip;
    for (int i = 0; i < SIZE * SIZE; i++)
        level[i / SIZE][i % SIZE] = REST_MV;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), convert, NULL);
}
