/* The protocol of docs/protocol.md. Written by hardware/protocol_header.py: change it there. */
#ifndef PROTOCOL_H
#define PROTOCOL_H
#include <stdint.h>

#define VERSION 1
#define MAJOR 1
#define MINOR 1
#define MAX_PAYLOAD 64
#define OVERHEAD 5
#define MAX_ENCODED 70
#define CRC_START 65535
#define CRC_END 65535
#define MAX_SITES 240
#define LEVEL_MAX 1023

#define STATE_OPEN 0
#define STATE_NORTH 1
#define STATE_SOUTH 2

#define SENSOR_REED 1
#define SENSOR_DIGITAL 2
#define SENSOR_ANALOGUE 3

#define TROUBLE_EVENTS_LOST 1
#define TROUBLE_INPUT_LOST 2
#define TROUBLE_BAD_FRAMES 3
#define TROUBLE_WATCHDOG 4
#define TROUBLE_DIODE 5

#define KIND_GREET 0x01

#define KIND_ASK 0x02

#define KIND_PING 0x03
struct __attribute__((packed)) ping_payload {
    uint32_t token;
};

#define KIND_READ 0x04
struct __attribute__((packed)) read_payload {
    uint8_t scans;
    uint16_t interval;
};

#define KIND_TUNE 0x05
struct __attribute__((packed)) tune_payload {
    uint8_t site;
    uint16_t rest;
    uint8_t press;
    uint8_t release;
};

#define KIND_LIGHT 0x06
struct __attribute__((packed)) light_payload {
    uint8_t first;
    uint8_t show;
    uint8_t colours[62];
};
#define LIGHT_FIXED 2

#define KIND_MUTE 0x07
struct __attribute__((packed)) mute_payload {
    uint8_t sites[64];
};
#define MUTE_FIXED 0

#define KIND_HELLO 0x81
struct __attribute__((packed)) hello_payload {
    uint8_t major;
    uint8_t minor;
    uint8_t sensor;
    uint8_t sites;
    uint8_t lamps;
    uint8_t period;
    uint8_t reset;
    uint16_t board;
    uint32_t uptime;
    char name[51];
};
#define HELLO_FIXED 13

#define KIND_SNAPSHOT 0x82
struct __attribute__((packed)) snapshot_payload {
    uint32_t time;
    uint8_t states[60];
};
#define SNAPSHOT_FIXED 4

#define KIND_CHANGE 0x83
struct __attribute__((packed)) change_payload {
    uint32_t time;
    uint8_t site;
    uint8_t state;
    uint16_t level;
};

#define KIND_LEVELS 0x84
struct __attribute__((packed)) levels_payload {
    uint32_t time;
    uint8_t left;
    uint8_t first;
    uint16_t levels[29];
};
#define LEVELS_FIXED 6

#define KIND_PONG 0x85
struct __attribute__((packed)) pong_payload {
    uint32_t token;
    uint32_t time;
};

#define KIND_FAULT 0x86
struct __attribute__((packed)) fault_payload {
    uint8_t trouble;
    uint8_t site;
    uint16_t count;
};

#define KIND_DONE 0x87
struct __attribute__((packed)) done_payload {
    uint8_t answered;
};

#define SHAPES 7
#define SHAPE_TABLE { \
    {0x01, 0, 0}, \
    {0x02, 0, 0}, \
    {0x03, 4, 0}, \
    {0x04, 3, 0}, \
    {0x05, 5, 0}, \
    {0x06, 2, 1}, \
    {0x07, 0, 1}, \
}
#endif
