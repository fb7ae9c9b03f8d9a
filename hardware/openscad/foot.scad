// A foot under a piece, with a disc magnet in it. Lengths are in mm.
//
// It is printed as it lies here, upside down: the pocket is open above and nothing has to be bridged. Glue the
// magnet in with the pole that the notches say, then the felt over it, then the foot under the piece.

magnet_d = 10;     // the magnet's diameter
magnet_t = 3;      // its thickness
foot_d = 28;       // the foot's diameter: that of the piece's own foot
clearance = 0.2;   // how much wider and deeper the pocket is than the magnet
roof = 1.2;        // between the magnet and the piece
north = "up";      // "up": one notch in the rim; "down": two, beside each other

wall = 1.2;        // the least thickness of what is printed
notch = 0.8;
$fn = 96;

pocket_d = magnet_d + clearance;
assert((foot_d - pocket_d) / 2 - notch >= wall, "the foot is too narrow for the magnet");
assert(roof >= wall, "the roof is too thin");

module outline() {
  difference() {
    circle(d = foot_d);
    for (turn = north == "up" ? [0] : [-6, 6] * 20 / foot_d)
      rotate(turn) translate([foot_d / 2, 0]) circle(r = notch, $fn = 16);
  }
}

linear_extrude(roof) outline();
translate([0, 0, roof - 0.01]) linear_extrude(magnet_t + clearance + 0.01)
  difference() {
    outline();
    circle(d = pocket_d);
  }
