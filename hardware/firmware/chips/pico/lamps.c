/* A PIO state machine makes the pulses: 0.4 us high for a 0, 0.8 us for a 1, in 1.25 us. DMA brings it the bytes, so
   nothing waits, unless lamps are shown again within the 5 ms that 150 of them take. */
#include "lamps.h"
#include <hardware/clocks.h>
#include <hardware/dma.h>
#include <hardware/pio.h>
#include <hardware/pio_instructions.h>
#include <string.h>
#include <pico/time.h>
#include "wiring.h"

#define CYCLES_OF_A_BIT 9
#define BITS_OF_A_SECOND 800000
#define LATCH_US 300 /* a pause as long as this shows what was sent */

#define NUMBER(number) number
#define LAMP_GPIO LAMP(NUMBER)

static uint8_t sent[SITES * 3];
static uint machine;
static int channel;

static void load_program(void)
{
    uint16_t instructions[] = {
        pio_encode_out(pio_x, 1) | pio_encode_delay(1), /* low while it waits for a bit */
        pio_encode_set(pio_pins, 1) | pio_encode_delay(2),
        pio_encode_mov(pio_pins, pio_x) | pio_encode_delay(2),
        pio_encode_set(pio_pins, 0),
    };
    const struct pio_program program = {.instructions = instructions, .length = 4, .origin = -1};
    uint first = pio_add_program(pio0, &program);
    pio_sm_config config = pio_get_default_sm_config();
    sm_config_set_wrap(&config, first, first + 3);
    sm_config_set_set_pins(&config, LAMP_GPIO, 1);
    sm_config_set_out_pins(&config, LAMP_GPIO, 1);
    sm_config_set_out_shift(&config, false, true, 8);
    uint32_t divider = 256 * (uint64_t)clock_get_hz(clk_sys) / (BITS_OF_A_SECOND * CYCLES_OF_A_BIT);
    sm_config_set_clkdiv_int_frac(&config, divider >> 8, divider & 0xff);
    pio_sm_init(pio0, machine, first, &config);
}

void lamp_pin_start(void)
{
    machine = pio_claim_unused_sm(pio0, true);
    channel = dma_claim_unused_channel(true);
    pio_gpio_init(pio0, LAMP_GPIO);
    pio_sm_set_consecutive_pindirs(pio0, machine, LAMP_GPIO, 1, true);
    load_program();
    pio_sm_set_enabled(pio0, machine, true);
}

void lamp_pin_send(const uint8_t *bytes, uint16_t size)
{
    dma_channel_config config = dma_channel_get_default_config(channel);
    dma_channel_wait_for_finish_blocking(channel);
    busy_wait_us_32(LATCH_US); /* also while the last bytes leave the queue of the state machine */
    memcpy(sent, bytes, size);
    channel_config_set_transfer_data_size(&config, DMA_SIZE_8); /* a byte is put on all four lanes of the register */
    channel_config_set_dreq(&config, pio_get_dreq(pio0, machine, true));
    dma_channel_configure(channel, &config, &pio0->txf[machine], sent, size, true);
}
