// A jig that holds the sensors of a part of the board while they are glued into the base. Lengths are in mm.
//
// kind = "hall": lay the jig on the table, the base upside down on it, so that each fence stands in its hole; put
// each sensor into its fence, branded face down, legs to the open side and bent up, and fill the hole with glue.
// The raised bed of the fence keeps the face a little under the base's upper face.
//
// kind = "reed": lay the base upside down on a flat table, the jig with its pillars on it, and put each switch
// through its slot, the end with the wire first, until that touches the table; then fill the hole with glue. Lift
// the jig off along the legs.
//
// Both are printed as they lie here, the bars below. For fences `sites` are mirrored, as they are on a base that
// lies upside down; for a reed's jig, which is turned over itself, they are as on the board from above.

kind = "hall";
sites = [[0, 0], [50, 0], [0, 50], [50, 50]];
link = 51;           // sites that are so near to each other are joined
pillars = [];        // of a reed's jig: pairs of a site and the place of a pillar that is joined to it
bar = 9;             // the width of the bars from site to site
hole_d = 8;          // the hole in the base
case = [4.0, 3.15];  // the sensor's case: width and length
sunk = 0.3;          // the face under the base's upper face
high = 1.2;          // how far a fence stands into its hole
glass_d = 1.8;       // a reed's glass
leg_d = 0.5;         // and its legs
stand = 6;           // the height of the pillars: there the jig holds the glass
pillar_d = 7;        // wider than a lamp's hole, so that none falls into one

wall = 1.2;          // the least thickness of what is printed
plate = 3;
clearance = 0.2;
$fn = 32;

module bars() {
  for (i = [0 : len(sites) - 1]) {
    translate(sites[i]) circle(d = bar + 2);
    for (k = [i + 1 : 1 : len(sites) - 1]) if (norm(sites[i] - sites[k]) <= link)
      hull() { translate(sites[i]) circle(d = bar); translate(sites[k]) circle(d = bar); }
  }
  for (pair = pillars) hull() for (end = pair) translate(end) circle(d = pillar_d);
}

// A fence is open to the south: two sides and a back, within the hole.
module fence() {
  inner = case + [clearance, clearance];
  fence_d = hole_d - 2 * clearance;
  intersection() {
    circle(d = fence_d);
    difference() {
      translate([-fence_d / 2, -1.8]) square([fence_d, 1.8 + inner[1] / 2 + wall]);
      translate([-inner[0] / 2, -5]) square([inner[0], 5 + inner[1] / 2]);
    }
  }
}

module bed() {
  intersection() {
    circle(d = hole_d - 2 * clearance);
    translate([-case[0] / 2, -case[1] / 2]) square([case[0], case[1] + 0.6]);
  }
}

// A slot takes the glass and, beside it, the wire that leads back.
module slot() {
  circle(d = glass_d + 3 * clearance);
  translate([0, -(leg_d + 2 * clearance) / 2]) square([hole_d / 2, leg_d + 2 * clearance]);
}

if (kind == "hall") {
  assert(bar >= hole_d + 1, "the bars are narrower than the holes");
  assert((hole_d - 2 * clearance - case[0] - clearance) / 2 >= wall, "the hole is too narrow for a fence");
  linear_extrude(plate) bars();
  translate([0, 0, plate - 0.01]) linear_extrude(high + 0.01) for (site = sites) translate(site) fence();
  translate([0, 0, plate - 0.01]) linear_extrude(sunk + 0.01) for (site = sites) translate(site) bed();
} else {
  assert((bar + 2 - glass_d - 3 * clearance) / 2 >= wall, "the bars are too narrow");
  linear_extrude(plate) difference() {
    bars();
    for (site = sites) translate(site) slot();
  }
  translate([0, 0, plate - 0.01]) linear_extrude(stand + 0.01)
    for (pair = pillars) translate(pair[1]) circle(d = pillar_d);
}
