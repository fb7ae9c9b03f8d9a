"""A virtual camera: any board, anything on it and a hand over it, as a picture.

The picture of a table in wood is what a newcomer sees first, and the tests' source of pictures whose
truth is known. What does not change (the empty board, each piece where it stands) is drawn once and
kept, so that a frame costs little more than its noise.
"""

from vision.virtual.render.finish import Finish, finish_of
from vision.virtual.render.light import LightSource
from vision.virtual.render.outlook import overlook
from vision.virtual.render.painter import ImageSensor, Painter, draw

__all__ = ["Finish", "ImageSensor", "LightSource", "Painter", "draw", "finish_of", "overlook"]
