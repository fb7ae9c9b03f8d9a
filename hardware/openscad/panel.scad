// A case for the Pi's panel: for each side two buttons, 'done' and 'take back', and a lamp; a buzzer between them.
// Lengths are in mm.
//
// It is printed as it lies here, the front below. The back stays open; the cable leaves by the notch.

button_d = 12.3;   // the hole of a button with a thread of 12 mm
lamp_d = 5.2;      // the hole of a lamp of 5 mm
buzzer_d = 24;     // the buzzer, behind its holes
wide = 150;
deep = 50;
high = 32;

wall = 2;
front = 2.4;
$fn = 48;

module sides() {
  for (side = [-1, 1]) translate([side * wide / 4, 0]) children();
}

linear_extrude(front) difference() {
  offset(r = 4) square([wide - 8, deep - 8], center = true);
  sides() {
    for (x = [-13, 13]) translate([x, -6]) circle(d = button_d);
    translate([0, 14]) circle(d = lamp_d);
  }
  for (turn = [0 : 5]) rotate(60 * turn) translate([5, 0]) circle(d = 2);
  circle(d = 2);
}
translate([0, 0, front - 0.01]) linear_extrude(high - front + 0.01) difference() {
  offset(r = 4) square([wide - 8, deep - 8], center = true);
  offset(r = 4 - wall) square([wide - 8, deep - 8], center = true);
  translate([0, deep / 2]) square([12, 3 * wall], center = true);
}
// The lower part of the wall at the notch, so that the front stays stiff.
translate([-7, deep / 2 - wall, front - 0.01]) cube([14, wall, 8]);
// A ring that holds the buzzer.
translate([0, 0, front - 0.01]) linear_extrude(6) difference() {
  circle(d = buzzer_d + 3.4);
  circle(d = buzzer_d + 0.4);
}
