/* What is wired to the numbered pins of a chip that is not there: a matrix, shift registers or multiplexers, as
   wiring.h says. */
#ifndef CIRCUIT_H
#define CIRCUIT_H
#include <stdint.h>

#define CIRCUIT_PINS 64

/* What the firmware does to a pin. An input without its pull-up reads as low where nothing drives it. */
void circuit_input(uint8_t pin, uint8_t pull_up);
void circuit_output(uint8_t pin);
void circuit_write(uint8_t pin, uint8_t high);
uint8_t circuit_read(uint8_t pin);

/* Lets time pass for the parts that are slower than the chip. */
void circuit_wait(uint32_t ns);

/* Returns the level at an analogue input: 0 to 4095. */
uint16_t circuit_level(uint8_t pin);

/* What happens on the board, at an address of wiring.h: 0 where there is none such. */
uint8_t circuit_set(uint8_t row, uint8_t column, uint16_t level);
uint8_t circuit_bridge(uint8_t row, uint8_t column);

#endif
