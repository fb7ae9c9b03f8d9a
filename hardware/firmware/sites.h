/* What the sites have settled on, and the changes that are still to be told. */
#ifndef SITES_H
#define SITES_H
#include <stdint.h>
#include "protocol.h"

/* Takes in a scan that began at this time. The first few say what stands there, and make no changes. */
void sites_update(uint32_t time);
uint8_t sites_ready(void);

/* The oldest change that is not yet told, if there is one; `sites_told` strikes it off. */
uint8_t sites_change(struct change *change);
void sites_told(void);

/* Changes that found no room since the last call. */
uint16_t sites_lost(void);

/* The settled states, two bits each; returns their size in bytes. */
uint8_t sites_states(uint8_t *states);

/* Leaves out sites whose bit is set. */
void sites_mute(const uint8_t *bits, uint8_t size);

#endif
