/* USART 0 behind two rings that its interrupts empty and fill. */
#include "serial.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#ifdef USART0_RX_vect
#define RECEIVED USART0_RX_vect
#define SENDABLE USART0_UDRE_vect
#else
#define RECEIVED USART_RX_vect
#define SENDABLE USART_UDRE_vect
#endif

#define RING 128 /* a power of two, so that indices wrap by themselves */

static volatile uint8_t out[RING], in[RING];
static volatile uint8_t out_head, out_tail, in_head, in_tail;
static volatile uint16_t lost;

ISR(RECEIVED)
{
    uint8_t overrun = UCSR0A & 1 << DOR0;
    uint8_t byte = UDR0;
    if (overrun)
        lost++;
    if ((uint8_t)(in_head - in_tail) < RING)
        in[in_head++ % RING] = byte;
    else
        lost++;
}

ISR(SENDABLE)
{
    UDR0 = out[out_tail++ % RING];
    if (out_tail == out_head)
        UCSR0B &= ~(1 << UDRIE0);
}

void serial_start(void)
{
    UCSR0A = 1 << U2X0;
    UBRR0 = (F_CPU / 8 + BAUD / 2) / BAUD - 1;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
}

uint8_t serial_room(void)
{
    return RING - (uint8_t)(out_head - out_tail);
}

uint8_t serial_idle(void)
{
    return out_head == out_tail;
}

void serial_send(const uint8_t *bytes, uint8_t size)
{
    while (size--)
        out[out_head++ % RING] = *bytes++;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        UCSR0B |= 1 << UDRIE0;
}

int16_t serial_next(void)
{
    if (in_head == in_tail)
        return -1;
    return in[in_tail++ % RING];
}

uint16_t serial_lost(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        count = lost;
        lost = 0;
    }
    return count;
}
