/* What the sites have settled on, and the changes that are still to be told. */
#ifndef SITES_H
#define SITES_H
#include <stdint.h>
#include "protocol.h"

/* Takes a scan in that began at this time. The first few say what stands there, and make no changes. */
void sites_update(uint32_t time_ms);
uint8_t sites_ready(void);

/* Copies the oldest change that is not yet told and returns 1, or returns 0; `sites_told` strikes it off. */
uint8_t sites_change(struct change_payload *change);
void sites_told(void);

/* Returns how many changes found no room since the last call. */
uint16_t sites_lost(void);

/* Writes the settled states, two bits each, and returns their size in bytes. */
uint8_t sites_states(uint8_t *states);

/* Silences the sites whose bit is set, and no others. */
void sites_mute(const uint8_t *bits, uint8_t size);

#endif
