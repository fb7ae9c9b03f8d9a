#include "frame.h"
#include <string.h>

/* A byte at a time, by shifts alone: small chips have no room for a table, and no time for a loop over bits. */
static uint16_t crc_update(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc >> 8 | crc << 8);
    crc ^= byte;
    crc ^= (uint8_t)crc >> 4;
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((crc & 0xff) << 5);
    return crc;
}

static uint16_t crc_of(const uint8_t *data, uint8_t size)
{
    uint16_t crc = CRC_START;
    while (size--)
        crc = crc_update(crc, *data++);
    return crc ^ CRC_END;
}

/* COBS in place: returns the size of the body, or 0xff when it cannot be one. */
static uint8_t unstuff(uint8_t *data, uint8_t size)
{
    uint8_t in = 0, out = 0;
    while (in < size) {
        uint8_t run = data[in++];
        if (run - 1 > size - in)
            return 0xff;
        if (in > 1)
            data[out++] = 0;
        memmove(data + out, data + in, run - 1);
        out += run - 1;
        in += run - 1;
    }
    return out;
}

static enum outcome check(struct reader *reader, struct frame *frame)
{
    uint8_t size = unstuff(reader->data, reader->size);
    if (size == 0xff)
        return FRAME_COBS;
    if (size < OVERHEAD)
        return FRAME_SHORT;
    if (crc_of(reader->data, size - 2) != (uint16_t)(reader->data[size - 2] << 8 | reader->data[size - 1]))
        return FRAME_CRC;
    if (reader->data[0] != VERSION)
        return FRAME_VERSION;
    frame->kind = reader->data[1];
    frame->sequence = reader->data[2];
    frame->payload = reader->data + 3;
    frame->size = size - OVERHEAD;
    return FRAME_GOOD;
}

enum outcome frame_read(struct reader *reader, uint8_t byte, struct frame *frame)
{
    enum outcome outcome = FRAME_MORE;
    if (byte) {
        if (reader->size < MAX_ENCODED)
            reader->data[reader->size++] = byte;
        else
            reader->size = MAX_ENCODED + 1;
        return FRAME_MORE;
    }
    if (reader->size > MAX_ENCODED)
        outcome = FRAME_LONG;
    else if (reader->size)
        outcome = check(reader, frame);
    reader->size = 0;
    return outcome;
}

uint8_t frame_write(uint8_t *wire, uint8_t kind, uint8_t sequence, const void *payload, uint8_t size)
{
    uint8_t body[MAX_PAYLOAD + OVERHEAD] = {VERSION, kind, sequence};
    uint8_t length = 3, run = 1, at = 2;
    memcpy(body + length, payload, size);
    length += size;
    uint16_t crc = crc_of(body, length);
    body[length++] = crc >> 8;
    body[length++] = crc & 0xff;
    wire[0] = 0;
    for (uint8_t i = 0; i < length; i++) {
        if (body[i]) {
            wire[at++] = body[i];
            continue;
        }
        wire[run] = at - run;
        run = at++;
    }
    wire[run] = at - run;
    wire[at++] = 0;
    return at;
}

static const struct { uint8_t kind, fixed, unit; } shapes[SHAPES] = SHAPE_TABLE;

uint8_t kind_known(uint8_t kind)
{
    for (uint8_t i = 0; i < SHAPES; i++)
        if (shapes[i].kind == kind)
            return 1;
    return 0;
}

uint8_t size_fits(uint8_t kind, uint8_t size)
{
    for (uint8_t i = 0; i < SHAPES; i++)
        if (shapes[i].kind == kind)
            return size >= shapes[i].fixed && (shapes[i].unit ? (size - shapes[i].fixed) % shapes[i].unit == 0
                                                              : size == shapes[i].fixed);
    return 0;
}
