/* A kind of sensor: each build has one of scan_reed.c, scan_digital.c, scan_analogue.c. */
#ifndef SCAN_H
#define SCAN_H
#include <stdint.h>

void scan_start(void);

/* Reads all sensors once. */
void scan(void);

/* What the last scan says of a site: its level (0 to 1023), and its state, given the one before. */
uint16_t scan_level(uint8_t site);
uint8_t scan_state(uint8_t site, uint8_t before);

/* Sets a sensor's level at rest and the distances from it that make and end a press. */
void scan_tune(uint8_t site, uint16_t rest, uint8_t press, uint8_t release);

/* Looks for current that flows where a diode should stop it: a site, or NO_SITE. Call now and then. */
uint8_t scan_for_bad_diode(void);

#define NO_SITE 255

#endif
