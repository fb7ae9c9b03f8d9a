/* In place of main.c and usb.c, where PlatformIO builds with Arduino's core for the Pico: its USB port is `Serial`. */
#include <Arduino.h>

extern "C" {
#include "clock.h"
#include "grid.h"
#include "serial.h"
}

static const int BUFFER = 256; /* of the core's TinyUSB */

void setup()
{
    for (uint8_t pin = 0; pin <= 28; pin++)
        if (pin < 23 || pin > 25)
            pinMode(pin, INPUT);
    grid_start();
}

void loop() { grid_round(); }

void clock_start(void) {}
uint32_t now_ms(void) { return millis(); }

void serial_start(void)
{
    Serial.begin(115200);
}

uint8_t serial_room(void)
{
    int room = Serial ? Serial.availableForWrite() : UINT8_MAX;
    return room < UINT8_MAX ? room : UINT8_MAX;
}

uint8_t serial_idle(void)
{
    return serial_room() >= BUFFER / 2;
}

void serial_send(const uint8_t *bytes, uint8_t size)
{
    if (!Serial)
        return;
    Serial.write(bytes, size);
    Serial.flush();
}

int16_t serial_next(void)
{
    return Serial.read();
}

uint16_t serial_lost(void)
{
    return 0; /* USB holds the sender back */
}
