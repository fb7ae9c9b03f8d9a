#include <hardware/gpio.h>
#include <pico/time.h>
#include "clock.h"
#include "grid.h"
#include "usb.h"

#define USED_PINS (0x7fffff | 7 << 26) /* GP0 to GP22, GP26 to GP28 */

void clock_start(void) {}

uint32_t now_ms(void)
{
    return to_ms_since_boot(get_absolute_time());
}

int main(void)
{
    gpio_init_mask(USED_PINS);
    grid_start();
    for (;;) {
        usb_round();
        grid_round();
        best_effort_wfe_or_timeout(make_timeout_time_ms(1)); /* an interrupt of USB ends it earlier */
    }
}
