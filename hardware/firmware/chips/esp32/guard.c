/* A timer, which has a task of its own on the other processor, counts how long the main loop stands still, and
   starts the chip anew. That works with the loop's interrupts off too. */
#include "guard.h"
#include <esp_attr.h>
#include <esp_system.h>
#include <esp_timer.h>

#define STALL_MS 200
#define STEP_MS 20
#define MARK 0x5ca1ab1e

/* Memory that no start clears: what was written before it. */
static RTC_NOINIT_ATTR uint32_t restarted;
static volatile uint8_t still;

static void watch(void *unused)
{
    (void)unused;
    if (++still < STALL_MS / STEP_MS)
        return;
    restarted = MARK;
    esp_restart();
}

static uint8_t cause_of(esp_reset_reason_t reason)
{
    switch (reason) {
    case ESP_RST_POWERON:
        return RESET_POWER;
    case ESP_RST_EXT:
        return RESET_BUTTON;
    case ESP_RST_BROWNOUT:
        return RESET_LOW_VOLTAGE;
    case ESP_RST_SW:
        return restarted == MARK ? RESET_STALL : 0;
    case ESP_RST_INT_WDT:
    case ESP_RST_TASK_WDT:
    case ESP_RST_WDT:
        return RESET_STALL;
    default:
        return 0;
    }
}

uint8_t guard_start(void)
{
    static esp_timer_handle_t timer;
    const esp_timer_create_args_t arguments = {.callback = watch, .name = "guard"};
    uint8_t cause = cause_of(esp_reset_reason());
    restarted = 0;
    if (esp_timer_create(&arguments, &timer) == ESP_OK)
        esp_timer_start_periodic(timer, STEP_MS * 1000);
    return cause;
}

void guard_feed(void)
{
    still = 0;
}
