/* Milliseconds from timer 0. */
#include "clock.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>
#include "tick.h"

#define TICKS_OF_A_MILLISECOND (F_CPU / 64 / 1000)

static volatile uint32_t milliseconds;

ISR(TIMER0_COMPA_vect)
{
    milliseconds++;
    guard_tick();
}

void clock_start(void)
{
    TCCR0A = 1 << WGM01;
    OCR0A = TICKS_OF_A_MILLISECOND - 1;
    TIMSK0 = 1 << OCIE0A;
    TCCR0B = 1 << CS01 | 1 << CS00;
}

uint32_t now_ms(void)
{
    uint32_t time_ms;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        time_ms = milliseconds;
    return time_ms;
}
