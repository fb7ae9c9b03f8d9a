"""The bridge to the sensor grid: protocol, serial line and calibration; sightings of its scans come out."""
