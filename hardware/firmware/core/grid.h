/* The firmware apart from its chip: chips/CHIP/main.c starts it, and then does round after round. */
#ifndef GRID_H
#define GRID_H

void grid_start(void);
void grid_round(void);

#endif
