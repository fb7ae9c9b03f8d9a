#ifndef TICK_H
#define TICK_H

/* A millisecond has passed: the clock's interrupt tells the guard. */
void guard_tick(void);

#endif
