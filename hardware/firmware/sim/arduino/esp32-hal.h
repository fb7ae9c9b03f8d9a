/* Stand-ins for the headers of Arduino's core for the ESP32, with no more than the firmware uses, on the circuit
   and the clock of a scripted board. They show that the layer compiles and does its part; not that it fits the
   real headers. */
#ifndef ESP32_HAL_H
#define ESP32_HAL_H
#include <stdint.h>
#include "esp32-hal-adc.h"
#include "esp32-hal-gpio.h"
#ifdef __cplusplus
extern "C" {
#endif
unsigned long millis(void);
void delayMicroseconds(uint32_t us);
#ifdef __cplusplus
}
#endif
#endif
