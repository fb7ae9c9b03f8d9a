/* The grid's firmware: scans the sensors, settles their states, sends the changes, and answers the companion.

   A chip's main loop does a round after each interrupt, at least one a millisecond. Nothing in it waits for the
   serial line: what finds no room there is owed, and tried again in the next round. */
#include "grid.h"
#include "chip.h"
#include "clock.h"
#include "frame.h"
#include "guard.h"
#include "lamps.h"
#include "scan.h"
#include "serial.h"
#include "sites.h"
#include "wiring.h"

#define ALIVE_MS 250   /* between two snapshots, the signs of life */
#define DIODES_MS 100  /* between two looks for a bad diode */
#define FAULTS_MS 1000 /* between two reports of faults */
#define LEVELS_OF_A_FRAME ((MAX_PAYLOAD - LEVELS_FIXED) / 2)

static uint8_t reset_cause;
static uint8_t sequence;
static struct reader reader;

/* What is still to be sent: messages, and what faults are to report. */
static struct {
    uint8_t hello, snapshot;
    uint8_t diode_site;
    uint16_t bad_frames, lost_bytes;
} owed = {.diode_site = NO_SITE};

/* The scans of levels that were asked for. The present one has been sent up to `next_site`. */
static struct {
    uint8_t scans_left, next_site;
    uint16_t interval_ms;
    uint32_t due_ms, began_ms;
} levels_owed = {.next_site = SITES};

/* Returns 0, and sends nothing, where the line has no room for a frame of any size. */
static uint8_t send_frame(uint8_t kind, const void *payload, uint8_t size)
{
    uint8_t wire[MAX_WIRE];
    if (serial_room() < MAX_WIRE)
        return 0;
    serial_send(wire, frame_write(wire, kind, sequence++, payload, size));
    return 1;
}

static uint8_t send_fault(uint8_t trouble, uint8_t site, uint16_t count)
{
    struct fault_payload fault = {trouble, site, count};
    return send_frame(KIND_FAULT, &fault, sizeof fault);
}

static uint8_t send_hello(void)
{
    struct hello_payload hello = {MAJOR, MINOR, SENSOR, SITES, LAMPS, PERIOD_MS, reset_cause, BOARD, now_ms(),
                                  NAME};
    return send_frame(KIND_HELLO, &hello, HELLO_FIXED + sizeof NAME - 1);
}

static uint8_t send_snapshot(void)
{
    struct snapshot_payload snapshot = {now_ms(), {0}};
    return send_frame(KIND_SNAPSHOT, &snapshot, SNAPSHOT_FIXED + sites_states(snapshot.states));
}

static void send_done(uint8_t answered)
{
    send_frame(KIND_DONE, &answered, 1);
}

static void start_levels(const struct read_payload *request)
{
    levels_owed.scans_left = request->scans;
    levels_owed.interval_ms = request->interval;
    levels_owed.due_ms = now_ms();
    levels_owed.next_site = SITES;
}

/* Carries out a message whose size was checked. Tune, Light and Mute are answered by Done. */
static void obey(const struct frame *frame)
{
    const void *payload = frame->payload;
    const struct tune_payload *tune = payload;
    const struct light_payload *light = payload;
    switch (frame->kind) {
    case KIND_GREET:
        owed.hello = owed.snapshot = 1;
        return;
    case KIND_ASK:
        owed.snapshot = 1;
        return;
    case KIND_READ:
        start_levels(payload);
        return;
    case KIND_PING: {
        struct pong_payload pong = {((const struct ping_payload *)payload)->token, now_ms()};
        send_frame(KIND_PONG, &pong, sizeof pong);
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
            owed.bad_frames++;
    }
}

static void send_changes(void)
{
    struct change_payload change;
    while (sites_change(&change) && send_frame(KIND_CHANGE, &change, sizeof change))
        sites_told();
}

/* A snapshot waits until all changes before it are sent, so that it never says more than they do. */
static void send_owed(void)
{
    struct change_payload change;
    if (owed.hello && send_hello())
        owed.hello = 0;
    if (owed.snapshot && !owed.hello && sites_ready() && !sites_change(&change) && send_snapshot())
        owed.snapshot = 0;
}

static void send_faults(void)
{
    uint16_t lost_changes = sites_lost();
    owed.lost_bytes += serial_lost();
    if (lost_changes) {
        send_fault(TROUBLE_EVENTS_LOST, NO_SITE, lost_changes);
        owed.snapshot = 1; /* it heals the loss, even where the fault finds no room */
    }
    if (owed.lost_bytes && send_fault(TROUBLE_INPUT_LOST, NO_SITE, owed.lost_bytes))
        owed.lost_bytes = 0;
    if (owed.bad_frames && send_fault(TROUBLE_BAD_FRAMES, NO_SITE, owed.bad_frames))
        owed.bad_frames = 0;
    if (owed.diode_site != NO_SITE && send_fault(TROUBLE_DIODE, owed.diode_site, 1))
        owed.diode_site = NO_SITE;
}

/* Sends the next part of a scan: as many levels as a frame holds. */
static void send_part_of_levels(void)
{
    uint8_t first = levels_owed.next_site, count = 0;
    struct levels_payload levels = {levels_owed.began_ms, levels_owed.scans_left - 1, first, {0}};
    while (count < LEVELS_OF_A_FRAME && first + count < SITES) {
        levels.levels[count] = scan_level(first + count);
        count++;
    }
    if (!send_frame(KIND_LEVELS, &levels, LEVELS_FIXED + 2 * count))
        return;
    levels_owed.next_site += count;
    if (levels_owed.next_site >= SITES)
        levels_owed.scans_left--;
}

/* Levels come last: they are sent only while nothing else is. */
static void send_levels(void)
{
    if (!levels_owed.scans_left || !serial_idle())
        return;
    if (levels_owed.next_site >= SITES) {
        if ((int32_t)(now_ms() - levels_owed.due_ms) < 0) /* signed, since the clock wraps after 49.7 days */
            return;
        levels_owed.began_ms = now_ms();
        levels_owed.due_ms = levels_owed.began_ms + levels_owed.interval_ms;
        levels_owed.next_site = 0;
    }
    send_part_of_levels();
}

/* Returns whether `period_ms` have passed since `*last_ms`, which then moves on to now. */
static uint8_t is_due(uint32_t *last_ms, uint16_t period_ms)
{
    uint32_t time_ms = now_ms();
    if (time_ms - *last_ms < period_ms)
        return 0;
    *last_ms = time_ms;
    return 1;
}

/* Does what is done at regular times. */
static void watch(void)
{
    static uint32_t scanned_ms, alive_ms, faults_ms, diodes_ms;
    if (is_due(&scanned_ms, PERIOD_MS)) {
        uint32_t began_ms = now_ms();
        scan();
        sites_update(began_ms);
    }
    if (is_due(&diodes_ms, DIODES_MS)) {
        uint8_t site = scan_for_bad_diode();
        if (site != NO_SITE)
            owed.diode_site = site;
    }
    if (is_due(&faults_ms, FAULTS_MS))
        send_faults();
    if (is_due(&alive_ms, ALIVE_MS))
        owed.snapshot = 1;
}

void grid_start(void)
{
    reset_cause = guard_start();
    clock_start();
    serial_start();
    scan_start();
    interrupts_on();
    lamps_start();
    owed.hello = owed.snapshot = 1;
    if (reset_cause & RESET_STALL)
        send_fault(TROUBLE_WATCHDOG, NO_SITE, 1);
}

void grid_round(void)
{
    guard_feed();
    receive();
    watch();
    send_changes();
    send_owed();
    send_levels();
}
