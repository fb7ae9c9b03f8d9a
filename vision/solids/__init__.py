"""Solids: models of pieces as bodies of revolution, by which looks are told apart that differ in their faces.

Calibration learns the models (`learn`). For each frame the samples around each place (`sampled_frame`) are
explained by them (`classify`); log-likelihoods of looks come out. `solid_reader` is the door to all of this.
"""
