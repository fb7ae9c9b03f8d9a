/* A bit is a pulse of 0.38 us (0) or 0.75 us (1) in 1.3 us, timed by counting instructions,
   so interrupts are off for a byte (10 us) and on between two: the serial line loses nothing. */
#include "lamps.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include "wiring.h"

#define PORT_OF(port, bit) PORT##port
#define DDR_OF(port, bit) DDR##port
#define BIT_OF(port, bit) bit
#define LAMP_PORT LAMP(PORT_OF)
#define LAMP_DDR LAMP(DDR_OF)
#define LAMP_BIT LAMP(BIT_OF)

void lamp_pin_start(void)
{
    LAMP_DDR |= 1 << LAMP_BIT;
}

static void send(uint8_t byte)
{
    uint8_t bits = 8, low = LAMP_PORT & ~(1 << LAMP_BIT), high = LAMP_PORT | 1 << LAMP_BIT;
    __asm__ volatile(
        "1: out %[port], %[high]  \n" /*  0 */
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   sbrs %[byte], 7       \n" /*  5 */
        "   out %[port], %[low]   \n" /*  6: a 0 ends here */
        "   lsl %[byte]           \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   out %[port], %[low]   \n" /* 12: a 1 ends here */
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   dec %[bits]           \n"
        "   brne 1b               \n" /* 20 */
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(LAMP_PORT)), [low] "r"(low), [high] "r"(high));
}

void lamp_pin_send(const uint8_t *bytes, uint16_t size)
{
    while (size--) {
        cli();
        send(*bytes++);
        sei();
    }
}
