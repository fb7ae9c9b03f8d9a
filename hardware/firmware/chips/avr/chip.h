/* ATmega328P and ATmega2560: what the core needs besides pins. */
#ifndef CHIP_H
#define CHIP_H
#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <util/delay.h>

#define IN_FLASH PROGMEM
#define flash_word pgm_read_word

#define wait_us _delay_us
#define interrupts_on sei

/* A released wire rises through its pull-up of 50 kOhm at most: 400 pF take 18 us. */
#define RISE_US 25

#endif
