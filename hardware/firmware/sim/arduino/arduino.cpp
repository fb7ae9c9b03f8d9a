#include <Arduino.h>
#include <stdlib.h>

extern "C" {
#include "circuit.h"
#include "script.h"
#include "esp_system.h"
#include "esp_timer.h"
}

static uint8_t bits = 12;

unsigned long millis(void) { return script_ms(); }
void delayMicroseconds(uint32_t us) { circuit_wait(1000 * us); }

void pinMode(uint8_t pin, uint8_t mode)
{
    if (mode == OUTPUT)
        circuit_output(pin);
    else
        circuit_input(pin, mode == INPUT_PULLUP);
}

void digitalWrite(uint8_t pin, uint8_t val) { circuit_write(pin, val); }
int digitalRead(uint8_t pin) { return circuit_read(pin); }
uint16_t analogRead(uint8_t pin) { return circuit_level(pin) >> (12 - bits); }
void analogReadResolution(uint8_t resolution) { bits = resolution; }
void analogSetAttenuation(adc_attenuation_t) {}

esp_reset_reason_t esp_reset_reason(void) { return ESP_RST_POWERON; }
void esp_restart(void) { abort(); }
esp_err_t esp_timer_create(const esp_timer_create_args_t *, esp_timer_handle_t *) { return ESP_OK; }
esp_err_t esp_timer_start_periodic(esp_timer_handle_t, uint64_t) { return ESP_OK; }

HWCDC Serial;
size_t HWCDC::setRxBufferSize(size_t size) { return size; }
size_t HWCDC::setTxBufferSize(size_t size) { return size; }
void HWCDC::setTxTimeoutMs(uint32_t) {}
void HWCDC::begin(unsigned long) {}
HWCDC::operator bool() const { return true; }
int HWCDC::availableForWrite() { return line_room(); }
int HWCDC::read() { return line_next(); }
void HWCDC::flush() {}

size_t HWCDC::write(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        line_send(bytes[i]);
    return size;
}
