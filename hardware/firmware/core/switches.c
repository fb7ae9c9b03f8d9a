#include "switches.h"
#include "chip.h"
#include "protocol.h"
#include "scan.h"
#include "wiring.h"

static const uint16_t addresses[SITES] IN_FLASH = ADDRESSES; /* row and column of each site, a byte each */

static uint8_t is_closed(uint8_t site)
{
    uint16_t address = flash_word(&addresses[site]);
    return switch_is_closed(address >> 8, address & 255);
}

uint16_t scan_level(uint8_t site)
{
    return is_closed(site) ? LEVEL_MAX : 0;
}

uint8_t scan_state(uint8_t site, uint8_t before)
{
    (void)before;
    return is_closed(site) ? STATE_NORTH : STATE_OPEN;
}

void scan_tune(uint8_t site, uint16_t rest, uint8_t press, uint8_t release)
{
    (void)site, (void)rest, (void)press, (void)release;
}

uint8_t switch_site(uint8_t row, uint8_t column)
{
    uint16_t address = (uint16_t)row << 8 | column;
    for (uint8_t site = 0; site < SITES; site++)
        if (flash_word(&addresses[site]) == address)
            return site;
    return NO_SITE;
}
