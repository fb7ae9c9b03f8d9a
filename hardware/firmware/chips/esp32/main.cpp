/* Arduino's entry points, and the line: the chip's own USB port, which is `Serial` where the build says so
   (ARDUINO_USB_CDC_ON_BOOT). While no program has it open, what is sent is dropped as on a serial line. */
#include <Arduino.h>

extern "C" {
#include "clock.h"
#include "grid.h"
#include "serial.h"
}

static const size_t BUFFER = 256;

void setup() { grid_start(); }
void loop() { grid_round(); }

void clock_start(void) {}
uint32_t now_ms(void) { return millis(); }

void serial_start(void)
{
    Serial.setRxBufferSize(BUFFER);
    Serial.setTxBufferSize(BUFFER);
    Serial.setTxTimeoutMs(0); /* it never waits */
    Serial.begin(115200);
}

uint8_t serial_room(void)
{
    if (!Serial)
        return UINT8_MAX;
    int room = Serial.availableForWrite();
    return room < UINT8_MAX ? room : UINT8_MAX;
}

void serial_send(const uint8_t *bytes, uint8_t size)
{
    if (Serial)
        Serial.write(bytes, size);
}

uint8_t serial_idle(void)
{
    return serial_room() >= BUFFER / 2;
}

int16_t serial_next(void)
{
    return Serial.read();
}

uint16_t serial_lost(void)
{
    return 0; /* USB holds the sender back */
}
