#include "lamps.h"
#include "wiring.h"

#ifndef LAMP_MAX
#define LAMP_MAX 48 /* of 255: 64 white lamps then draw 0.7 A */
#endif

const uint8_t LAMPS = SITES;
static uint8_t wire[SITES * 3]; /* green, red, blue: the order of the lamps' chips */

void lamps_start(void)
{
    lamp_pin_start();
    lamps_show();
}

static uint8_t dimmed(uint8_t value)
{
    return value < LAMP_MAX ? value : LAMP_MAX;
}

void lamps_set(uint8_t first, const uint8_t *colours, uint8_t size)
{
    for (uint8_t lamp = first; size >= 3 && lamp < SITES; lamp++, colours += 3, size -= 3) {
        wire[lamp * 3] = dimmed(colours[1]);
        wire[lamp * 3 + 1] = dimmed(colours[0]);
        wire[lamp * 3 + 2] = dimmed(colours[2]);
    }
}

void lamps_show(void)
{
    lamp_pin_send(wire, sizeof wire);
}
