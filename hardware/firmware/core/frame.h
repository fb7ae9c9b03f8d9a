/* Frames in and out: COBS, CRC-16, version. Portable C, the twin of firmware_bridge/line/frames.py. */
#ifndef FRAME_H
#define FRAME_H
#include <stdint.h>
#include "protocol.h"

#define MAX_WIRE (MAX_ENCODED + 2)

enum outcome { FRAME_MORE, FRAME_GOOD, FRAME_LONG, FRAME_COBS, FRAME_SHORT, FRAME_CRC, FRAME_VERSION };

struct reader {
    uint8_t size;     /* bytes in data; MAX_ENCODED + 1 while a frame that is too long goes by */
    uint8_t data[MAX_ENCODED];
};

struct frame {
    uint8_t kind, sequence, size;
    const uint8_t *payload;
};

/* One byte from the wire. FRAME_GOOD fills `frame`, whose payload is good until the next call. */
enum outcome frame_read(struct reader *reader, uint8_t byte, struct frame *frame);

/* Puts a frame with both its edges on `wire` (MAX_WIRE bytes) and returns its length. */
uint8_t frame_write(uint8_t *wire, uint8_t kind, uint8_t sequence, const void *payload, uint8_t size);

/* Whether a message of this kind is known, and can have a payload of this size. */
uint8_t kind_known(uint8_t kind);
uint8_t size_fits(uint8_t kind, uint8_t size);

#endif
