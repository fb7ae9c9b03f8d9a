/* A simulated grid: the real firmware on simavr, with the board's sensors around it.

   The serial line is a pseudo-terminal, whose name is the first line of output. Commands come on standard
   input, a line each, and take no time; only `advance` lets simulated time pass, as fast as it can.

     rows L0 L1 …         the pins of a matrix; also columns, select, shift, lamps
     close ROW COLUMN     a magnet comes to a switch; open: it leaves
     level ROW COLUMN MV  the output of a linear sensor
     diode ROW COLUMN 0   the diode of a switch is bridged; 1: it is whole
     noise MV             uniform noise on linear sensors, up to so much either way
     rail MV              the supply of the linear sensors: levels were given for 5000
     supply MV            the supply of the chip, which its converter compares with
     sample HZ            switches look at their magnets so often only, each at a time of its own; 0: always
     advance MS           prints `out US HEX` for each frame sent, and then `at US`
     await N              until N bytes in all have come over the serial line
     listen               until something has come over the serial line, for a tenth of a second at most
     hang                 the processor is stuck in a loop until it is reset, with interrupts off; hang 1: with
                          interrupts on; prints `at US`
     press                the reset button is pressed; prints `at US`
     show                 prints `lamps HEX`, the bytes that the lamps took last

   With a boot loader as the third argument (Intel HEX) the chip starts in that, as a real one does.
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_hex.h>
#include "wires.h"

static avr_t *avr;
static FILE *answers; /* standard output; what simavr prints there goes to standard error */

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

static void listen(void)
{
    struct pollfd line = {terminal, POLLIN, 0};
    if (poll(&line, 1, 100) > 0)
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
    wires_follow();
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

/* The next instruction becomes a jump to itself, until a restart; for good where none comes in a second. */
static void hang(int interrupts)
{
    uint8_t spared[2];
    avr_cycle_count_t start;
    while (avr->state != cpu_Running || !avr->sreg[S_I])
        step();
    avr_flashaddr_t pc = avr->pc;
    start = avr->cycle;
    memcpy(spared, avr->flash + pc, 2);
    memcpy(avr->flash + pc, "\xff\xcf", 2);
    avr->sreg[S_I] = interrupts;
    while (avr->pc != avr->reset_pc && avr->pc != 0 && avr->cycle < start + HZ)
        step();
    if (avr->pc == avr->reset_pc || avr->pc == 0)
        memcpy(avr->flash + pc, spared, 2);
    if (avr->cycle < start) /* some versions of simavr count cycles anew from a reset */
        before += start;
    next_byte = 0;
    report();
}

/* A boot loader waits for an upload only after a reset from outside. */
static void press(void)
{
    avr_cycle_count_t start = avr->cycle;
    avr_reset(avr);
    if (avr->cycle < start)
        before += start;
    avr_regbit_clear(avr, avr->reset_flags.porf);
    avr_regbit_set(avr, avr->reset_flags.extrf);
    next_byte = 0;
    report();
}

/* ---- commands ---- */

static void show(void)
{
    int size;
    const uint8_t *shown = wires_lamps(&size);
    fprintf(answers, "lamps ");
    for (int i = 0; i < size; i++)
        fprintf(answers, "%02x", shown[i]);
    fprintf(answers, "\n");
    fflush(answers);
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
    else if (!strcmp(verb, "listen"))
        listen();
    else if (!strcmp(verb, "hang"))
        hang(r == 1);
    else if (!strcmp(verb, "press"))
        press();
    else if (!strcmp(verb, "show"))
        show();
    else if (!strcmp(verb, "supply"))
        avr->avcc = r;
    else if (!wires_all(verb, r) && !wires_group(verb, line + length) && !wires_site(verb, r, c, value))
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

/* Puts a boot loader into the end of the flash, where a reset then leads. */
static void load_loader(const char *path)
{
    ihex_chunk_p chunks = NULL;
    int count = read_ihex_chunks(path, &chunks);
    if (count <= 0) {
        fprintf(stderr, "cannot load %s\n", path);
        exit(2);
    }
    for (int i = 0; i < count; i++) {
        if (chunks[i].baseaddr + chunks[i].size > avr->flashend + 1) {
            fprintf(stderr, "%s does not fit into the flash\n", path);
            exit(2);
        }
        memcpy(avr->flash + chunks[i].baseaddr, chunks[i].data, chunks[i].size);
    }
    avr->codeend = avr->flashend;
    avr->pc = avr->reset_pc = chunks[0].baseaddr;
    free_ihex_chunks(chunks);
}

int main(int count, char **arguments)
{
    char line[256];
    if (count != 3 && count != 4) {
        fprintf(stderr, "write: board FIRMWARE.elf CHIP [LOADER.hex]\n");
        return 2;
    }
    answers = fdopen(dup(1), "w");
    dup2(2, 1);
    load(arguments[1], arguments[2]);
    if (count == 4)
        load_loader(arguments[3]);
    connect_chip();
    wires_connect(avr);
    open_line();
    while (fgets(line, sizeof line, stdin))
        obey(line);
    return 0;
}
