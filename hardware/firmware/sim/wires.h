/* What is wired to the chip's pins: a matrix, shift registers, multiplexers, lamps. */
#ifndef WIRES_H
#define WIRES_H
#include <stdint.h>
#include <simavr/sim_avr.h>

#define HZ 16000000
#define CYCLES_OF_A_MICROSECOND (HZ / 1000000)

void wires_connect(avr_t *chip);

/* Commands: 0 when they are none of these. */
int wires_group(const char *verb, char *names);
int wires_site(const char *verb, int row, int column, int value);
int wires_all(const char *verb, int value);

/* After each instruction: the inputs follow the outputs, before the next instruction can look. */
void wires_follow(void);

/* The bytes that the lamps took last. */
const uint8_t *wires_lamps(int *size);

#endif
