/* The grid's firmware: scans the sensors, settles them, and tells the changes; answers the companion. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <string.h>
#include "clock.h"
#include "frame.h"
#include "lamps.h"
#include "scan.h"
#include "serial.h"
#include "sites.h"
#include "wiring.h"

#define MAJOR 1
#define MINOR 0
#define ALIVE_MS 250
#define DIODES_MS 100
#define FAULTS_MS 1000
#define LEVELS_OF_A_FRAME ((MAX_PAYLOAD - LEVELS_FIXED) / 2)

static uint8_t reset_cause;
static uint8_t sequence;
static struct reader reader;
static struct { uint8_t hello, snapshot, diode; uint16_t bad, input; } owed = {.diode = NO_SITE};
static struct { uint8_t left, next; uint16_t interval; uint32_t due, began; } reading = {.next = SITES};

static uint8_t send(uint8_t kind, const void *payload, uint8_t size)
{
    uint8_t wire[MAX_WIRE];
    if (serial_room() < MAX_WIRE)
        return 0;
    serial_send(wire, frame_write(wire, kind, sequence++, payload, size));
    return 1;
}

static uint8_t send_fault(uint8_t trouble, uint8_t site, uint16_t count)
{
    struct fault fault = {trouble, site, count};
    return send(KIND_FAULT, &fault, sizeof fault);
}

static uint8_t send_hello(void)
{
    struct hello hello = {MAJOR, MINOR, SENSOR, SITES, LAMPS, PERIOD, reset_cause, BOARD, now(), NAME};
    return send(KIND_HELLO, &hello, HELLO_FIXED + sizeof NAME - 1);
}

static uint8_t send_snapshot(void)
{
    struct snapshot snapshot = {now(), {0}};
    return send(KIND_SNAPSHOT, &snapshot, SNAPSHOT_FIXED + sites_states(snapshot.states));
}

static void send_done(uint8_t answered)
{
    send(KIND_DONE, &answered, 1);
}

static void start_reading(const struct read *ask)
{
    reading.left = ask->scans;
    reading.interval = ask->interval;
    reading.due = now();
    reading.next = SITES;
}

static void obey(const struct frame *frame)
{
    const void *payload = frame->payload;
    const struct tune *tune = payload;
    const struct light *light = payload;
    switch (frame->kind) {
    case KIND_GREET:
        owed.hello = owed.snapshot = 1;
        return;
    case KIND_ASK:
        owed.snapshot = 1;
        return;
    case KIND_READ:
        start_reading(payload);
        return;
    case KIND_PING: {
        struct pong pong = {((const struct ping *)payload)->token, now()};
        send(KIND_PONG, &pong, sizeof pong);
        return;
    }
    case KIND_TUNE:
        if (tune->site < SITES)
            scan_tune(tune->site, tune->rest, tune->press, tune->release);
        break;
    case KIND_LIGHT:
        lamps_set(light->first, light->colours, frame->size - LIGHT_FIXED);
        if (light->show)
            lamps_show();
        break;
    case KIND_MUTE:
        sites_mute(payload, frame->size);
        break;
    }
    send_done(frame->sequence);
}

/* A frame is only taken in when its answer has room to go out: the line itself holds the sender back. */
static void receive(void)
{
    struct frame frame = {0};
    int16_t byte;
    while (serial_room() >= MAX_WIRE && (byte = serial_next()) >= 0) {
        enum outcome outcome = frame_read(&reader, (uint8_t)byte, &frame);
        if (outcome == FRAME_MORE)
            continue;
        if (outcome == FRAME_GOOD && size_fits(frame.kind, frame.size))
            obey(&frame);
        else
            owed.bad++;
    }
}

static void send_changes(void)
{
    struct change change;
    while (sites_change(&change) && send(KIND_CHANGE, &change, sizeof change))
        sites_told();
}

/* A snapshot follows all changes before it, so that it never says more than they do. */
static void send_owed(void)
{
    struct change change;
    if (owed.hello && send_hello())
        owed.hello = 0;
    if (owed.snapshot && !owed.hello && sites_ready() && !sites_change(&change) && send_snapshot())
        owed.snapshot = 0;
}

static void send_faults(void)
{
    uint16_t events = sites_lost();
    owed.input += serial_lost();
    if (events) {
        send_fault(TROUBLE_EVENTS_LOST, NO_SITE, events);
        owed.snapshot = 1;
    }
    if (owed.input && send_fault(TROUBLE_INPUT_LOST, NO_SITE, owed.input))
        owed.input = 0;
    if (owed.bad && send_fault(TROUBLE_BAD_FRAMES, NO_SITE, owed.bad))
        owed.bad = 0;
    if (owed.diode != NO_SITE && send_fault(TROUBLE_DIODE, owed.diode, 1))
        owed.diode = NO_SITE;
}

static void send_levels(void)
{
    struct levels levels = {reading.began, reading.left - 1, reading.next, {0}};
    uint8_t count = 0;
    while (count < LEVELS_OF_A_FRAME && reading.next + count < SITES) {
        levels.levels[count] = scan_level(reading.next + count);
        count++;
    }
    if (!send(KIND_LEVELS, &levels, LEVELS_FIXED + 2 * count))
        return;
    reading.next += count;
    if (reading.next >= SITES)
        reading.left--;
}

/* Levels come last: they go out only while nothing else wants to. */
static void send_reading(void)
{
    if (!reading.left || !serial_idle())
        return;
    if (reading.next >= SITES) {
        if ((int32_t)(now() - reading.due) < 0)
            return;
        reading.began = now();
        reading.due = reading.began + reading.interval;
        reading.next = 0;
    }
    send_levels();
}

/* Whether `period` milliseconds have passed since `*last`, which then moves on. */
static uint8_t due(uint32_t *last, uint16_t period)
{
    uint32_t time = now();
    if (time - *last < period)
        return 0;
    *last = time;
    return 1;
}

static void watch(void)
{
    static uint32_t scanned, alive, faults, diodes;
    if (due(&scanned, PERIOD)) {
        uint32_t time = now();
        scan();
        sites_update(time);
    }
    if (due(&diodes, DIODES_MS)) {
        uint8_t site = scan_for_bad_diode();
        if (site != NO_SITE)
            owed.diode = site;
    }
    if (due(&faults, FAULTS_MS))
        send_faults();
    if (due(&alive, ALIVE_MS))
        owed.snapshot = 1;
}

static void rest(void)
{
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_mode();
}

static void start(void)
{
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_enable(WDTO_250MS);
    clock_start();
    serial_start();
    scan_start();
    sei();
    lamps_start();
    owed.hello = owed.snapshot = 1;
}

int main(void)
{
    start();
    if (reset_cause & 1 << WDRF)
        send_fault(TROUBLE_WATCHDOG, NO_SITE, 1);
    for (;;) {
        wdt_reset();
        receive();
        watch();
        send_changes();
        send_owed();
        send_reading();
        rest();
    }
}
