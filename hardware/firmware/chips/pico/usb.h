#ifndef USB_H
#define USB_H

/* Does what is due on USB; call it in each round of the main loop. */
void usb_round(void);

#endif
