#ifndef ARDUINO_H
#define ARDUINO_H
#include <stddef.h>
#include <stdint.h>
#include "esp32-hal.h"

/* The USB port, which a program has open. */
class HWCDC {
public:
    size_t setRxBufferSize(size_t size);
    size_t setTxBufferSize(size_t size);
    void setTxTimeoutMs(uint32_t timeout);
    void begin(unsigned long baud);
    operator bool() const;
    int availableForWrite();
    size_t write(const uint8_t *bytes, size_t size);
    int read();
    void flush();
};

extern HWCDC Serial;

extern "C" {
void setup();
void loop();
}
#endif
