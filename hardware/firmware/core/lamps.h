/* WS2812 lamps, one for each site; a build without them has lamps_none.c. */
#ifndef LAMPS_H
#define LAMPS_H
#include <stdint.h>

extern const uint8_t LAMPS;

void lamps_start(void);
void lamps_set(uint8_t first, const uint8_t *colours, uint8_t size);
void lamps_show(void);

/* What a chip does for them: makes its pin ready, and sends green, red and blue of each lamp. */
void lamp_pin_start(void);
void lamp_pin_send(const uint8_t *bytes, uint16_t size);

#endif
