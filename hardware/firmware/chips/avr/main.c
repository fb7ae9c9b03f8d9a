#include <avr/sleep.h>
#include "grid.h"

int main(void)
{
    grid_start();
    for (;;) {
        grid_round();
        set_sleep_mode(SLEEP_MODE_IDLE);
        sleep_mode(); /* until the next interrupt: of the clock, after a millisecond at most, or of the line */
    }
}
