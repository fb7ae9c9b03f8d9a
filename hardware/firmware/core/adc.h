/* The converter, whose inputs the multiplexers are at. */
#ifndef ADC_H
#define ADC_H
#include <stdint.h>

void adc_start(void);

/* Returns the level at an input, as ADC_PINS lists them: 0 to 1023, as a share of the converter's supply. */
uint16_t adc_level(uint8_t input);

#endif
