/* A scripted board: the firmware as a program of this computer, with a circuit around it and its own time.

   Commands come on standard input, a line each:

     set ROW COLUMN LEVEL  a switch (0 open, else closed), or the level at a linear sensor (0 to 4095)
     bridge ROW COLUMN     the diode of a switch is bridged
     in HEX                bytes for the firmware
     advance MS            lets time pass; prints `out US HEX` for each frame sent, and then `at US`
     show                  prints `lamps HEX`
*/
#include "script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "circuit.h"

#define RING 128
#define BYTES_OF_A_MILLISECOND 11
#define ROUNDS_OF_A_MILLISECOND 3

static uint32_t now;
static uint8_t sending[RING];
static unsigned int sent_head, sent_tail;
static uint8_t coming[1 << 16];
static unsigned int coming_head, coming_tail, arrived;
static uint8_t frame[512];
static unsigned int frame_size;

__attribute__((weak)) const uint8_t *script_lamps(uint16_t *size)
{
    *size = 0;
    return NULL;
}

uint32_t script_ms(void)
{
    return now;
}

uint8_t line_room(void)
{
    return RING - (sent_head - sent_tail);
}

void line_send(uint8_t byte)
{
    if (!line_room()) {
        fprintf(stderr, "the firmware sends more than there is room for\n");
        abort();
    }
    sending[sent_head++ % RING] = byte;
}

uint8_t line_idle(void)
{
    return sent_head == sent_tail;
}

int16_t line_next(void)
{
    return coming_tail == arrived ? -1 : coming[coming_tail++ % sizeof coming];
}

static void note_sent(uint8_t byte)
{
    if (byte && frame_size < sizeof frame) {
        frame[frame_size++] = byte;
        return;
    }
    if (!frame_size)
        return;
    printf("out %u ", now * 1000);
    for (unsigned int i = 0; i < frame_size; i++)
        printf("%02x", frame[i]);
    puts("");
    frame_size = 0;
}

static void advance(unsigned int ms)
{
    while (ms--) {
        now++;
        for (unsigned int i = 0; i < BYTES_OF_A_MILLISECOND && arrived != coming_head; i++)
            arrived++;
        for (unsigned int i = 0; i < ROUNDS_OF_A_MILLISECOND; i++)
            loop();
        for (unsigned int i = 0; i < BYTES_OF_A_MILLISECOND && sent_tail != sent_head; i++)
            note_sent(sending[sent_tail++ % RING]);
    }
    printf("at %u\n", now * 1000);
    fflush(stdout);
}

static void take_in(const char *hex)
{
    unsigned int byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        coming[coming_head++ % sizeof coming] = (uint8_t)byte;
}

static void show(void)
{
    uint16_t size = 0;
    const uint8_t *lamps = script_lamps(&size);
    printf("lamps ");
    for (uint16_t i = 0; i < size; i++)
        printf("%02x", lamps[i]);
    puts("");
    fflush(stdout);
}

static int obey(const char *line)
{
    unsigned int row, column, value;
    if (sscanf(line, "set %u %u %u", &row, &column, &value) == 3)
        return circuit_set((uint8_t)row, (uint8_t)column, (uint16_t)value);
    if (sscanf(line, "bridge %u %u", &row, &column) == 2)
        return circuit_bridge((uint8_t)row, (uint8_t)column);
    if (sscanf(line, "advance %u", &value) == 1)
        advance(value);
    else if (!strncmp(line, "in ", 3))
        take_in(line + 3);
    else if (!strncmp(line, "show", 4))
        show();
    else
        return 0;
    return 1;
}

int main(void)
{
    static char line[1 << 16];
    setup();
    while (fgets(line, sizeof line, stdin))
        if (!obey(line)) {
            fprintf(stderr, "not understood: %s", line);
            return 2;
        }
    return 0;
}
