/* The line: a serial port on USB, by TinyUSB. While no program has it open, what is sent is dropped, as on a serial
   line that nobody hears. A program that sets 1200 baud asks for the boot loader: the Pico comes back as a drive. */
#include "usb.h"
#include <pico/bootrom.h>
#include <pico/unique_id.h>
#include <string.h>
#include <tusb.h>
#include "serial.h"

#define VENDOR 0x2e8a
#define PRODUCT 0x000a /* the Pico SDK's own, for any program with a serial port */
#define BOOT_LOADER_BAUD 1200

enum { INTERFACE_CONTROL, INTERFACE_DATA, INTERFACES };
enum { ENDPOINT_OUT = 0x02, ENDPOINT_NOTICE = 0x81, ENDPOINT_IN = 0x82 };
enum { TEXT_LANGUAGE, TEXT_MAKER, TEXT_PRODUCT, TEXT_SERIAL, TEXTS };

#define CONFIGURATION_SIZE (TUD_CONFIG_DESC_LEN + TUD_CDC_DESC_LEN)

static const tusb_desc_device_t device = {
    .bLength = sizeof device,
    .bDescriptorType = TUSB_DESC_DEVICE,
    .bcdUSB = 0x0200,
    .bDeviceClass = TUSB_CLASS_MISC, /* the two interfaces of a serial port belong together */
    .bDeviceSubClass = MISC_SUBCLASS_COMMON,
    .bDeviceProtocol = MISC_PROTOCOL_IAD,
    .bMaxPacketSize0 = CFG_TUD_ENDPOINT0_SIZE,
    .idVendor = VENDOR,
    .idProduct = PRODUCT,
    .bcdDevice = 0x0100,
    .iManufacturer = TEXT_MAKER,
    .iProduct = TEXT_PRODUCT,
    .iSerialNumber = TEXT_SERIAL,
    .bNumConfigurations = 1,
};

static const uint8_t configuration[CONFIGURATION_SIZE] = {
    TUD_CONFIG_DESCRIPTOR(1, INTERFACES, 0, CONFIGURATION_SIZE, 0, 250),
    TUD_CDC_DESCRIPTOR(INTERFACE_CONTROL, TEXT_PRODUCT, ENDPOINT_NOTICE, 8, ENDPOINT_OUT, ENDPOINT_IN, 64),
};

const uint8_t *tud_descriptor_device_cb(void)
{
    return (const uint8_t *)&device;
}

const uint8_t *tud_descriptor_configuration_cb(uint8_t index)
{
    (void)index;
    return configuration;
}

const uint16_t *tud_descriptor_string_cb(uint8_t index, uint16_t language)
{
    static const char *const texts[TEXTS] = {"", "Board Companion", "Sensor grid", ""};
    static uint16_t descriptor[32];
    char serial[2 * PICO_UNIQUE_BOARD_ID_SIZE_BYTES + 1];
    size_t size = 1;
    (void)language;
    if (index >= TEXTS)
        return NULL;
    if (index == TEXT_LANGUAGE)
        descriptor[1] = 0x0409; /* English */
    else {
        const char *text = texts[index];
        if (index == TEXT_SERIAL) {
            pico_get_unique_board_id_string(serial, sizeof serial);
            text = serial;
        }
        size = strlen(text);
        for (size_t i = 0; i < size; i++)
            descriptor[1 + i] = text[i];
    }
    descriptor[0] = (uint16_t)(TUSB_DESC_STRING << 8 | (2 + 2 * size));
    return descriptor;
}

void tud_cdc_line_coding_cb(uint8_t port, const cdc_line_coding_t *coding)
{
    (void)port;
    if (coding->bit_rate == BOOT_LOADER_BAUD)
        reset_usb_boot(0, 0);
}

/* What was still to be sent to a program that has closed the port is not for the next one. */
void tud_cdc_line_state_cb(uint8_t port, bool open, bool unused)
{
    (void)port, (void)unused;
    if (!open)
        tud_cdc_write_clear();
}

void usb_round(void)
{
    tud_task();
}

void serial_start(void)
{
    tusb_init();
}

uint8_t serial_room(void)
{
    uint32_t room = tud_cdc_connected() ? tud_cdc_write_available() : UINT8_MAX;
    return room < UINT8_MAX ? room : UINT8_MAX;
}

uint8_t serial_idle(void)
{
    return !tud_cdc_connected() || tud_cdc_write_available() == CFG_TUD_CDC_TX_BUFSIZE;
}

void serial_send(const uint8_t *bytes, uint8_t size)
{
    if (!tud_cdc_connected())
        return;
    tud_cdc_write(bytes, size);
    tud_cdc_write_flush();
}

int16_t serial_next(void)
{
    return tud_cdc_read_char();
}

uint16_t serial_lost(void)
{
    return 0; /* USB holds the sender back */
}
