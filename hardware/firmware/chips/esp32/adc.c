/* The first converter: the second one is not to be had beside the radio. Its reference is a voltage of the
   chip's own, so levels are no share of the supply: they move with it. */
#include "adc.h"
#include <esp32-hal-adc.h>
#include "pins.h"
#include "wiring.h"

static const struct pin inputs[] = ADC_PINS;

void adc_start(void)
{
    analogReadResolution(12);
    analogSetAttenuation(ADC_11db); /* up to about 3.1 V */
}

uint16_t adc_level(uint8_t input)
{
    return analogRead(inputs[input].number) >> 2;
}
