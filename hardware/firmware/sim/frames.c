/* The firmware's frame code as a native program, to be held against the Python twin.

   Standard input: bytes as they come from the line. Output, a line each: `frame KIND SEQUENCE PAYLOAD` or
   `damage REASON`; at the end every good frame has also been written anew and compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "frame.h"

static const char *const reasons[] = {"", "", "long", "cobs", "short", "crc", "version"};

static void check_again(const struct frame *frame)
{
    uint8_t wire[MAX_WIRE];
    struct reader reader = {0};
    struct frame again;
    uint8_t size = frame_write(wire, frame->kind, frame->sequence, frame->payload, frame->size);
    for (uint8_t i = 0; i + 1 < size; i++)
        if (frame_read(&reader, wire[i], &again) != FRAME_MORE)
            abort();
    if (frame_read(&reader, wire[size - 1], &again) != FRAME_GOOD || again.size != frame->size ||
        memcmp(again.payload, frame->payload, frame->size))
        abort();
}

static void print(const struct frame *frame)
{
    if (kind_known(frame->kind) && !size_fits(frame->kind, frame->size)) {
        puts("damage size");
        return;
    }
    printf("frame %d %d ", frame->kind, frame->sequence);
    for (uint8_t i = 0; i < frame->size; i++)
        printf("%02x", frame->payload[i]);
    puts("");
    check_again(frame);
}

int main(void)
{
    struct reader reader = {0};
    struct frame frame;
    int byte;
    while ((byte = getchar()) != EOF) {
        enum outcome outcome = frame_read(&reader, (uint8_t)byte, &frame);
        if (outcome == FRAME_GOOD)
            print(&frame);
        else if (outcome != FRAME_MORE)
            printf("damage %s\n", reasons[outcome]);
    }
    return 0;
}
