#ifndef ESP32_HAL_ADC_H
#define ESP32_HAL_ADC_H
#include <stdint.h>
typedef enum { ADC_0db, ADC_2_5db, ADC_6db, ADC_11db, ADC_ATTENDB_MAX } adc_attenuation_t;
#ifdef __cplusplus
extern "C" {
#endif
uint16_t analogRead(uint8_t pin);
void analogReadResolution(uint8_t bits);
void analogSetAttenuation(adc_attenuation_t attenuation);
#ifdef __cplusplus
}
#endif
#endif
