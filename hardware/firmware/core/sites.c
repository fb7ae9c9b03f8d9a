#include "sites.h"
#include <string.h>
#include "scan.h"
#include "wiring.h"

#define QUEUE 32 /* a power of two */
#define BYTES ((SITES + 3) / 4)

/* `settled` is the state that was told last. Another state takes its place once AGREEING scans in a row have
   found it. */
static struct { uint8_t settled : 2, next : 2, agreeing : 4; } sites[SITES];
static uint8_t muted[(SITES + 7) / 8];
static struct change_payload queue[QUEUE];
static uint8_t head, tail;
static uint16_t lost;
static uint8_t warming = AGREEING; /* scans until what stands there is known */

static void add_change(uint8_t site, uint32_t time_ms)
{
    if ((uint8_t)(head - tail) == QUEUE) {
        lost++;
        return;
    }
    struct change_payload *change = &queue[head++ % QUEUE];
    change->time = time_ms - (AGREEING - 1) * PERIOD_MS; /* when the first of the agreeing scans was */
    change->site = site;
    change->state = sites[site].settled;
    change->level = scan_level(site);
}

static void update(uint8_t site, uint32_t time_ms)
{
    uint8_t state = scan_state(site, sites[site].settled);
    if (state == sites[site].settled) {
        sites[site].agreeing = 0;
        return;
    }
    if (state != sites[site].next)
        sites[site].agreeing = 0;
    sites[site].next = state;
    if (++sites[site].agreeing < AGREEING)
        return;
    sites[site].settled = state;
    sites[site].agreeing = 0;
    if (!warming)
        add_change(site, time_ms);
}

void sites_update(uint32_t time_ms)
{
    for (uint8_t site = 0; site < SITES; site++)
        if (!(muted[site / 8] >> site % 8 & 1))
            update(site, time_ms);
    if (warming)
        warming--;
}

uint8_t sites_ready(void)
{
    return !warming;
}

uint8_t sites_change(struct change_payload *change)
{
    if (head == tail)
        return 0;
    *change = queue[tail % QUEUE];
    return 1;
}

void sites_told(void)
{
    tail++;
}

uint16_t sites_lost(void)
{
    uint16_t count = lost;
    lost = 0;
    return count;
}

uint8_t sites_states(uint8_t *states)
{
    memset(states, 0, BYTES);
    for (uint8_t site = 0; site < SITES; site++)
        states[site / 4] |= sites[site].settled << site % 4 * 2;
    return BYTES;
}

void sites_mute(const uint8_t *bits, uint8_t size)
{
    memset(muted, 0, sizeof muted);
    memcpy(muted, bits, size < sizeof muted ? size : sizeof muted);
}
