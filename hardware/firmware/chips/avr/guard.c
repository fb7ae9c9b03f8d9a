/* The clock's interrupt counts how long the main loop stands still. That finds every loop without an end in
   which interrupts are on, and needs nothing of the boot loader: the chip is not reset, the firmware begins
   anew. The chip's own watchdog, which also ends a loop with interrupts off, is only used where the build says
   that the boot loader bears it (WATCHDOG): after such a reset it is still on, and a boot loader that does not
   stop it is reset by it for ever. */
#include "guard.h"
#include "tick.h"
#include <avr/io.h>
#include <avr/wdt.h>

#define STALL_MS 200
#define MARK 0x5ca1

/* Memory that no start clears: what was written before it. */
static uint16_t restarted __attribute__((section(".noinit")));
static volatile uint8_t still_ms;

_Static_assert(RESET_POWER == 1 << PORF && RESET_BUTTON == 1 << EXTRF && RESET_LOW_VOLTAGE == 1 << BORF &&
               RESET_STALL == 1 << WDRF, "MCUSR has the causes as Hello tells them");

uint8_t guard_start(void)
{
    uint8_t cause = MCUSR; /* has to be read and cleared before the watchdog can be set */
    MCUSR = 0;
    if (restarted == MARK && !(cause & RESET_POWER))
        cause |= RESET_STALL;
    restarted = 0;
#ifdef WATCHDOG
    wdt_enable(WDTO_250MS);
#else
    wdt_disable();
#endif
    return cause;
}

void guard_feed(void)
{
    still_ms = 0;
#ifdef WATCHDOG
    wdt_reset();
#endif
}

void guard_tick(void)
{
    if (++still_ms < STALL_MS)
        return;
    restarted = MARK;
    __asm__ __volatile__("jmp 0"); /* the firmware's own beginning, with interrupts off; not the boot loader's */
}
