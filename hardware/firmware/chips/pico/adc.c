/* The converter: 12 bits in 2 us, of which four readings make one of 10 bits. Its reference is ADC_VREF. */
#include "adc.h"
#include <hardware/adc.h>
#include "pins.h"
#include "wiring.h"

#ifdef ADC_PINS
#define FIRST_PIN 26
#define READINGS 4

static const struct pin inputs[] = ADC_PINS;

void adc_start(void)
{
    adc_init();
    for (uint8_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        adc_gpio_init(inputs[i].number);
}

uint16_t adc_level(uint8_t input)
{
    uint16_t sum = 0;
    adc_select_input(inputs[input].number - FIRST_PIN);
    for (uint8_t i = 0; i < READINGS; i++)
        sum += adc_read();
    return sum / READINGS >> 2;
}
#endif
