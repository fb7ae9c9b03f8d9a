#ifndef ESP32_HAL_GPIO_H
#define ESP32_HAL_GPIO_H
#include <stdint.h>
#define LOW 0x0
#define HIGH 0x1
#define OUTPUT 0x02
#define INPUT 0x01
#define INPUT_PULLUP 0x05
#ifdef __cplusplus
extern "C" {
#endif
void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t val);
int digitalRead(uint8_t pin);
#ifdef __cplusplus
}
#endif
#endif
