#include "grid.h"
#include "script.h"

void setup(void) { grid_start(); }
void loop(void) { grid_round(); }
