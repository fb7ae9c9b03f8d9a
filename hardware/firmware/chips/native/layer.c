/* Clock, line, guard and converter: what the script says of them. */
#include "adc.h"
#include "clock.h"
#include "guard.h"
#include "pins.h"
#include "script.h"
#include "serial.h"
#include "wiring.h"

void clock_start(void) {}
uint32_t now_ms(void) { return script_ms(); }

void serial_start(void) {}
uint8_t serial_room(void) { return line_room(); }
uint8_t serial_idle(void) { return line_idle(); }
int16_t serial_next(void) { return line_next(); }
uint16_t serial_lost(void) { return 0; }

void serial_send(const uint8_t *bytes, uint8_t size)
{
    while (size--)
        line_send(*bytes++);
}

uint8_t guard_start(void) { return RESET_POWER; }
void guard_feed(void) {}

#ifdef ADC_PINS
static const struct pin inputs[] = ADC_PINS;

void adc_start(void) {}
uint16_t adc_level(uint8_t input) { return circuit_level(inputs[input].number) >> 2; }
#endif
