/* What a reed matrix and a chain of registers have in common: each sensor is a switch, open or closed. */
#ifndef SWITCHES_H
#define SWITCHES_H
#include <stdint.h>

/* Whether the last scan found the switch at an address closed; each kind of scan defines it. */
uint8_t switch_is_closed(uint8_t row, uint8_t column);

/* The site whose switch has this address, or NO_SITE. */
uint8_t switch_site(uint8_t row, uint8_t column);

#endif
