/* The chip's own watchdog, which its boot loader bears. */
#include "guard.h"
#include <hardware/structs/vreg_and_chip_reset.h>
#include <hardware/watchdog.h>

#define STALL_MS 250

static uint8_t cause_of_start(void)
{
    uint32_t cause = vreg_and_chip_reset_hw->chip_reset;
    if (watchdog_enable_caused_reboot())
        return RESET_STALL;
    if (watchdog_caused_reboot()) /* by the boot loader, after an image was written */
        return 0;
    return (cause & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_POR_BITS ? RESET_POWER : 0) |
           (cause & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_RUN_BITS ? RESET_BUTTON : 0);
}

uint8_t guard_start(void)
{
    uint8_t cause = cause_of_start();
    watchdog_enable(STALL_MS, true); /* not while a debugger holds the chip */
    return cause;
}

void guard_feed(void)
{
    watchdog_update();
}
