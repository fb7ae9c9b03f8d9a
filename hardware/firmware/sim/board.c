/* A simulated grid: the real firmware on simavr, with the board's sensors around it.

   The serial line is a pseudo-terminal, whose name is the first line of output. Commands come on standard
   input, a line each, and take no time; only `advance` lets simulated time pass, as fast as it can.

     rows L0 L1 …         the pins of a matrix; also columns, select, shift, lamps
     close ROW COLUMN     a magnet comes to a switch; open: it leaves
     level ROW COLUMN MV  the output of a linear sensor
     diode ROW COLUMN 0   the diode of a switch is bridged; 1: it is whole
     noise MV             uniform noise on linear sensors, up to so much either way
     advance MS           prints `out US HEX` for each frame sent, and then `at US`
     await N              until N bytes in all have come over the serial line
     hang                 the processor is stuck in a loop until it is reset; prints `at US`
     show                 prints `lamps HEX`, the bytes that the lamps took last
*/
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <simavr/avr_adc.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#define HZ 16000000
#define CYCLES_OF_A_MICROSECOND (HZ / 1000000)
#define SIZE 16
#define PINS 16

struct pin { uint16_t in; uint8_t mask; };
struct group { int count; struct pin pins[PINS]; };

static avr_t *avr;
static struct group rows, columns, selects, shift, lamps;
static uint8_t closed[SIZE][SIZE], bridged[SIZE][SIZE];
static int level[SIZE][SIZE];
static int noise;
static FILE *answers; /* standard output; what simavr prints there goes to standard error */

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

static void drive_group(const struct group *group, const uint8_t *low)
{
    for (int i = 0; i < group->count; i++)
        drive(group->pins[i], !low[i] && is_high(group->pins[i]));
}

static void settle_matrix(void)
{
    uint8_t row_low[PINS], column_low[PINS];
    pulled(&rows, row_low);
    pulled(&columns, column_low);
    while (spread(row_low, column_low))
        ;
    drive_group(&rows, row_low);
    drive_group(&columns, column_low);
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
    drive(shift.pins[2], at >= SIZE * 8 || !closed[at / 8][7 - at % 8]);
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
    int mv = level[mux.src][input] + (noise ? rand() % (2 * noise + 1) - noise : 0);
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

/* ---- the serial line ---- */

static avr_cycle_count_t before, next_byte;

static unsigned long microseconds(void)
{
    return (before + avr->cycle) / CYCLES_OF_A_MICROSECOND;
}

static int terminal;
static uint8_t frame[512];
static int frame_size;
static uint8_t unsent[1 << 20];
static int unsent_size;
static int ready = 1;

static void flush_line(void)
{
    int count = write(terminal, unsent, unsent_size);
    if (count > 0)
        memmove(unsent, unsent + count, unsent_size -= count);
}

static void log_frame(void)
{
    fprintf(answers, "out %lu ", microseconds());
    for (int i = 0; i < frame_size; i++)
        fprintf(answers, "%02x", frame[i]);
    fprintf(answers, "\n");
    frame_size = 0;
}

static void sent(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (unsent_size < (int)sizeof unsent)
        unsent[unsent_size++] = value;
    if (value)
        frame[frame_size++ % (int)sizeof frame] = value;
    else if (frame_size)
        log_frame();
}

static void may_send(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value;
    ready = param != NULL;
}

static uint8_t unheard[1 << 16];
static int unheard_size;
static long heard;

static void hear(void)
{
    int count = read(terminal, unheard + unheard_size, sizeof unheard - unheard_size);
    if (count > 0) {
        unheard_size += count;
        heard += count;
    }
}

/* A terminal hands bytes over in its own time, which is not ours: waits for so many since the start. */
static void await(long count)
{
    struct pollfd line = {terminal, POLLIN, 0};
    while (heard < count && poll(&line, 1, 5000) > 0)
        hear();
}

/* One byte in a byte's time, and only while the chip takes it. */
static void feed(void)
{
    if (!ready || avr->cycle < next_byte || !unheard_size)
        return;
    next_byte = avr->cycle + HZ / 11520;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), unheard[0]);
    memmove(unheard, unheard + 1, --unheard_size);
}

static void open_line(void)
{
    int follower;
    char name[128];
    struct termios raw;
    if (openpty(&terminal, &follower, name, NULL, NULL)) {
        perror("openpty");
        exit(2);
    }
    tcgetattr(follower, &raw);
    cfmakeraw(&raw);
    tcsetattr(follower, TCSANOW, &raw);
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    fprintf(answers, "%s\n", name);
    fflush(answers);
}

/* ---- time ---- */

static void no_sleep(avr_t *chip, avr_cycle_count_t cycles)
{
    (void)chip, (void)cycles;
}

static avr_cycle_count_t wake(avr_t *chip, avr_cycle_count_t when, void *param)
{
    (void)chip, (void)when, (void)param;
    return 0;
}

/* The wires follow after every instruction, before the next one can look. */
static void step(void)
{
    avr_run(avr);
    if (rows.count)
        wire_matrix();
    if (shift.count)
        wire_shift();
    if (lamps.count)
        watch_lamps();
}

static void report(void)
{
    flush_line();
    fprintf(answers, "at %lu\n", microseconds());
    fflush(answers);
}

static void advance(double ms)
{
    avr_cycle_count_t end = avr->cycle + (avr_cycle_count_t)(ms * HZ / 1000), poll = 0;
    avr_cycle_timer_register(avr, end - avr->cycle, wake, NULL);
    while (avr->cycle < end) {
        step();
        if (avr->cycle < poll)
            continue;
        poll = avr->cycle + 50 * CYCLES_OF_A_MICROSECOND;
        hear();
        feed();
        flush_line();
    }
    report();
}

/* The next instruction becomes a jump to itself, with interrupts off, until a reset or for a second. */
static void hang(void)
{
    uint8_t spared[2];
    avr_cycle_count_t start;
    while (avr->state != cpu_Running)
        step();
    avr_flashaddr_t pc = avr->pc;
    start = avr->cycle;
    memcpy(spared, avr->flash + pc, 2);
    memcpy(avr->flash + pc, "\xff\xcf", 2);
    avr->sreg[S_I] = 0;
    while (avr->pc != avr->reset_pc && avr->cycle < start + HZ)
        step();
    memcpy(avr->flash + pc, spared, 2);
    if (avr->cycle < start) /* some versions of simavr count cycles anew from a reset */
        before += start;
    next_byte = 0;
    report();
}

/* ---- commands ---- */

static void read_group(struct group *group, char *names)
{
    for (char *name = strtok(names, " \n"); name; name = strtok(NULL, " \n"))
        group->pins[group->count++] = pin_of(name);
    if (group == &rows || group == &columns)
        note_ports(group);
}

static void show(void)
{
    fprintf(answers, "lamps ");
    for (int i = 0; i < shown_bits / 8; i++)
        fprintf(answers, "%02x", shown[i]);
    fprintf(answers, "\n");
    fflush(answers);
}

static int set_site(const char *verb, int r, int c, int value)
{
    if (r < 0 || r >= SIZE || c < 0 || c >= SIZE)
        return 0;
    if (!strcmp(verb, "close") || !strcmp(verb, "open"))
        closed[r][c] = verb[0] == 'c';
    else if (!strcmp(verb, "level"))
        level[r][c] = value;
    else if (!strcmp(verb, "diode"))
        bridged[r][c] = !value;
    else
        return 0;
    moved = 1;
    return 1;
}

static int set_group(const char *verb, char *names)
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

static void obey(char *line)
{
    char verb[16] = "";
    int r = -1, c = -1, value = 0, length = 0;
    sscanf(line, "%15s %n", verb, &length);
    sscanf(line + length, "%d %d %d", &r, &c, &value);
    if (!strcmp(verb, "advance"))
        advance(atof(line + length));
    else if (!strcmp(verb, "await"))
        await(r);
    else if (!strcmp(verb, "hang"))
        hang();
    else if (!strcmp(verb, "show"))
        show();
    else if (!strcmp(verb, "noise"))
        noise = r;
    else if (!set_group(verb, line + length) && !set_site(verb, r, c, value))
        fprintf(stderr, "not understood: %s", line);
}

/* ---- start ---- */

static void connect_chip(void)
{
    uint32_t flags = 0;
    avr_irq_t *uart = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), 0);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    for (int i = 0; i < 2; i++) /* or a low pin raises its unused level interrupt on every cycle */
        avr_extint_set_strict_lvl_trig(avr, i, 0);
    avr_irq_register_notify(uart + UART_IRQ_OUTPUT, sent, NULL);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XON, may_send, &ready);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XOFF, may_send, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), convert, NULL);
}

static void load(const char *path, const char *chip)
{
    elf_firmware_t firmware = {0};
    if (elf_read_firmware(path, &firmware) || !(avr = avr_make_mcu_by_name(chip))) {
        fprintf(stderr, "cannot load %s for %s\n", path, chip);
        exit(2);
    }
    avr_init(avr);
    firmware.frequency = HZ;
    avr_load_firmware(avr, &firmware);
    avr->frequency = HZ;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->run_cycle_limit = 1;
    avr->sleep = no_sleep;
    avr->log = LOG_NONE;
}

int main(int count, char **arguments)
{
    char line[256];
    if (count != 3) {
        fprintf(stderr, "write: board FIRMWARE.elf CHIP\n");
        return 2;
    }
    answers = fdopen(dup(1), "w");
    dup2(2, 1);
    for (int i = 0; i < SIZE * SIZE; i++)
        level[i / SIZE][i % SIZE] = 2500;
    load(arguments[1], arguments[2]);
    connect_chip();
    open_line();
    while (fgets(line, sizeof line, stdin))
        obey(line);
    return 0;
}
