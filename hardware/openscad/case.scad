// A case for the controller: a tray and its lid. Lengths are in mm.
//
// Both are printed as they lie here; openings reach to the tray's upper edge, so that nothing has to be bridged.
// The board is screwed onto its posts; the lid's rim holds by friction. Screw the tray's ears under the base.

controller = "uno";  // "uno", "mega" or "pico"
part = "tray";       // "tray" or "lid"
headroom = 24;       // over the board, for plugs that stand upright

wall = 2;
floor_t = 2;
gap = 1;             // around the board
post_h = 4;
pcb_t = 1.6;
play = 0.3;          // between tray and lid
$fn = 32;

// Sizes, holes, and openings for plugs at the western edge, as [from, to] along y. Uno and Mega: the makers'
// drawings; Pico: its data sheet, chapter 2.
size = controller == "mega" ? [101.6, 53.34] : controller == "uno" ? [68.58, 53.34] : [51, 21];
holes = controller == "mega"
  ? [[13.97, 2.54], [15.24, 50.8], [90.17, 50.8], [96.52, 2.54]]
  : controller == "uno"
  ? [[13.97, 2.54], [15.24, 50.8], [66.04, 7.62], [66.04, 35.56]]
  : [[2, 4.8], [2, 16.2], [49, 4.8], [49, 16.2]];
plugs = controller == "pico" ? [[4.5, 16.5]] : [[31, 45], [2.6, 13.6]];
post_d = controller == "pico" ? 4.4 : 5.6;
pilot_d = controller == "pico" ? 1.7 : 2.6;   // for screws of M2 and M3, which cut their thread

assert((post_d - pilot_d) / 2 >= 1.2, "the posts are too thin");

inner = size + [2 * gap, 2 * gap];
outer = inner + [2 * wall, 2 * wall];
tall = floor_t + post_h + pcb_t + headroom;
wires = min(40, inner[1] - 8);                // the width of the opening for wires, at the eastern edge

module ear() {
  difference() {
    hull() {
      translate([0, 0]) square([12, 0.1]);
      translate([6, 6]) circle(d = 10);
    }
    translate([6, 6]) circle(d = 3.6);
  }
}

module tray() {
  linear_extrude(floor_t) {
    square(outer);
    for (x = [4, outer[0] - 16]) {
      translate([x, outer[1] - 0.1]) ear();
      translate([x, 0.1]) mirror([0, 1]) ear();
    }
  }
  difference() {
    linear_extrude(tall) difference() {
      square(outer);
      translate([wall, wall]) square(inner);
    }
    for (plug = plugs)
      translate([-1, wall + gap + plug[0], floor_t + post_h - 1])
        cube([wall + 2, plug[1] - plug[0], tall]);
    translate([outer[0] - wall - 1, (outer[1] - wires) / 2, floor_t + post_h + pcb_t])
      cube([wall + 2, wires, tall]);
  }
  translate([wall + gap, wall + gap, floor_t - 0.01]) linear_extrude(post_h + 0.01)
    for (hole = holes) translate(hole) difference() {
      circle(d = post_d);
      circle(d = pilot_d);
    }
}

module lid() {
  linear_extrude(floor_t) difference() {
    square(outer);
    for (i = [0 : 4]) translate([outer[0] * (0.25 + 0.125 * i) - 1, outer[1] * 0.3]) square([2, outer[1] * 0.4]);
  }
  translate([0, 0, floor_t - 0.01]) linear_extrude(4) difference() {
    translate([wall + play, wall + play]) square(inner - [2 * play, 2 * play]);
    translate([wall + play + 1.2, wall + play + 1.2]) square(inner - [2 * play + 2.4, 2 * play + 2.4]);
  }
}

if (part == "lid") lid(); else tray();
