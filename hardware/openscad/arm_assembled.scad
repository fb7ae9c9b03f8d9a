// The camera arm as it is put together, for looking at: it is not printed so. Lengths are in mm.
//
// upright: the length of the tube that stands: about as long as the camera is high over the table, which
// docs/camera.md tells. reach: that of the other; the camera hangs about 70 mm beyond it. Both go 40 mm into
// their sockets.

use <camera_arm.scad>

upright = 240;
reach = 170;
tube_d = 20;
axis = (tube_d + 0.4 + 8) / 2;   // from the side of a block to the middle of its socket

module tube(long) { color("Silver") cylinder(d = tube_d, h = long); }

color("SteelBlue") flange();
translate([0, 0, 4]) tube(upright);
translate([-40 - axis, axis, 4 + upright]) rotate([90, 0, 0]) color("SteelBlue") elbow();
translate([-axis, 0, 4 + upright + axis]) rotate([0, -90, 0]) tube(reach);
translate([-axis - reach + 40, 0, 4 + upright + axis]) rotate([90, 0, 180])
  translate([0, -axis, -axis]) color("SteelBlue") head();
// The plate hangs beside the head's lug, on one screw with it.
translate([-axis - reach + 40 - 58, 0, 4 + upright + axis]) rotate(-90)
  translate([2.2, -43, -16]) color("Tomato") plate();
