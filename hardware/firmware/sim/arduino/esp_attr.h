#ifndef ESP_ATTR_H
#define ESP_ATTR_H
#define RTC_NOINIT_ATTR
#endif
