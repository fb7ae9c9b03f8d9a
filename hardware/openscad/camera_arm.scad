// An arm that holds a camera over the board: printed joints for two tubes from a hardware store. Lengths are in
// mm.
//
// The flange is screwed to the table, or to a board under the game, and takes the upright tube; the elbow joins it
// to the tube that reaches over the board; the head ends that tube, and the plate with the camera hangs on it by
// a screw of M4, by which it is tilted. A camera module hangs under the plate, with a nut on each screw between.
// Each socket takes a screw of M4 that holds its tube. Nothing needs support:
// the sockets that lie have a pointed roof.

part = "flange";     // "flange", "elbow", "head" or "plate"
camera = "module";   // of the plate: "module" (Camera Module 2 and 3), "hq", or "webcam" (a screw of 1/4 inch)
tube_d = 20;         // the tubes' outer diameter

wall = 4;
clearance = 0.4;
grip = 40;           // how far a tube goes into its socket
hinge = 8;           // the thickness of the hinge's lugs
thread = 3.4;        // the hole into which a screw of M4 cuts its thread
free = 4.4;          // the hole through which it goes freely
$fn = 64;

assert(wall - 1.5 >= 1.2, "the sockets are too thin");

bore = tube_d + clearance;
block = bore + 2 * wall;

// The cut of a lying socket: round, with a blunt roof of 45 degrees instead of an overhang.
module bore_cut() {
  circle(d = bore);
  intersection() {
    rotate(45) square(bore / 2);
    translate([-bore / 2, 0]) square([bore, bore / 2 + 1.5]);
  }
}

// A block with a lying socket along x, from its western end.
module lying(long) {
  difference() {
    cube([long, block, block]);
    translate([-1, block / 2, block / 2]) rotate([90, 0, 90]) linear_extrude(grip + 1) bore_cut();
    translate([grip / 2, block / 2, -1]) cylinder(d = thread, h = wall + 2);
  }
}

module flange() {
  difference() {
    union() {
      cylinder(d = 90, h = 6);
      cylinder(d = block + 4, h = 6 + grip);
      for (turn = [45 : 90 : 315]) rotate(turn) translate([0, -2.5, 5]) hull() {
        cube([40, 5, 1]);
        cube([block / 2, 5, 24]);
      }
    }
    translate([0, 0, 4]) cylinder(d = bore, h = grip + 3);
    for (turn = [0 : 90 : 270]) rotate(turn) translate([36, 0, -1]) cylinder(d = 5, h = 8);
    translate([0, 0, 6 + grip - 8]) rotate([90, 0, 0]) cylinder(d = thread, h = block);
  }
}

module elbow() {
  difference() {
    union() {
      lying(grip + block);
      translate([grip + block, 0, 0]) rotate(90) translate([-grip, 0, 0]) cube([grip + 1, block, block]);
    }
    translate([grip + block / 2, -grip - 1, block / 2]) rotate([90, 0, 180]) linear_extrude(grip + 1) bore_cut();
    translate([grip + block / 2, -grip / 2, -1]) cylinder(d = thread, h = wall + 2);
  }
}

module head() {
  lying(grip + wall);
  // A lug on the bed: the screw through it is the axis about which the camera is tilted.
  difference() {
    hull() {
      translate([grip + wall - 1, 0, 0]) cube([1, block, hinge]);
      translate([grip + wall + 14, block / 2, 0]) cylinder(d = 16, h = hinge);
    }
    translate([grip + wall + 14, block / 2, -1]) cylinder(d = free, h = hinge + 2);
  }
}

module plate() {
  size = camera == "hq" ? [46, 46] : [34, 34];
  pattern = camera == "hq" ? [30, 30] : [21, 12.5];
  screw = camera == "hq" ? 2.7 : 2.2;
  difference() {
    union() {
      translate([-size[0] / 2, 0, 0]) cube([size[0], size[1] + 16, 4]);
      // The lug that stands beside that of the head.
      translate([-hinge / 2, size[1] + 2, 0]) rotate([90, 0, 90]) linear_extrude(hinge) hull() {
        square([14, 3]);
        translate([7, 16]) circle(d = 14);
      }
    }
    if (camera != "webcam") at_screws(size, pattern) translate([0, 0, -1]) cylinder(d = screw, h = 6);
    else translate([0, size[1] / 2, -1]) cylinder(d = 6.6, h = 8);
    translate([-hinge, size[1] + 9, 16]) rotate([0, 90, 0]) cylinder(d = thread, h = 2 * hinge);
  }
}

module at_screws(size, pattern) {
  for (x = [-1, 1], y = [-1, 1])
    translate([x * pattern[0] / 2, size[1] / 2 + y * pattern[1] / 2, 0]) children();
}

if (part == "flange") flange();
else if (part == "elbow") elbow();
else if (part == "head") head();
else plate();
