/* The converter of the chip. ADC_PINS lists its inputs in the order of their numbers. */
#include "adc.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include "wiring.h"

EMPTY_INTERRUPT(ADC_vect)

void adc_start(void)
{
    DIDR0 = (1 << (MULTIPLEXERS < 6 ? MULTIPLEXERS : 6)) - 1;
    ADCSRA = 1 << ADEN | 1 << ADIE | 1 << ADPS2 | 1 << ADPS1; /* 250 kHz: 52 us for each reading */
}

/* Sleeps until the converter is done: less noise, and nothing to do before that. */
uint16_t adc_level(uint8_t input)
{
    ADMUX = 1 << REFS0 | (input & 7);
#ifdef MUX5
    ADCSRB = input & 8 ? 1 << MUX5 : 0;
#endif
    ADCSRA |= 1 << ADSC;
    set_sleep_mode(SLEEP_MODE_IDLE);
    for (;;) {
        cli();
        if (!(ADCSRA & 1 << ADSC))
            break;
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
    return ADC;
}
