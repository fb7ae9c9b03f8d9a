"""E-boards: chess boards with sensors that people own, as sources of sightings."""
