"""Builds a table in Blender: a board, its pieces, lamps and a camera (`bpy` is not among what the product
needs)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import atan, cos, pi, radians, sin
from pathlib import Path
from random import Random
from typing import Any

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from vision.arrays import Singles
from vision.training.studio.play import Position
from vision.training.studio.shapes import Mesh
from vision.training.studio.surfaces import TABLES, BoardArt, even, grained, toned

SIZE = (448, 336)
"""Pixels of a picture: what is read of it is 24 pixels to a square."""
SAMPLES = 4
"""Paths of light a pixel; a denoiser does the rest."""
THICK = 0.35
"""Squares, of the board."""
KELVIN: Sequence[tuple[float, float, float]] = (
    (1.0, 0.78, 0.55),
    (1.0, 0.9, 0.75),
    (1.0, 0.97, 0.93),
    (0.88, 0.94, 1.0),
    (0.75, 0.86, 1.0),
)
"""Colours of lamps and windows, warm to cold."""


class StudioStage:
    """One table. Lengths are squares; (0, 0, 0) is the middle of the board's top."""

    def __init__(
        self,
        count: int,
        art: BoardArt,
        sets: Mapping[str, Mapping[str, Mesh]],
        paint: Mapping[str, Singles],
        chance: Random,
        rng: np.random.Generator,
    ) -> None:
        self.count, self._chance, self._rng = count, chance, rng
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._scene = bpy.context.scene
        self._moving = bpy.data.collections.new("moving")
        self._scene.collection.children.link(self._moving)
        self._meshes = {
            (owner, kind): _mesh(f"{owner}.{kind}", mesh)
            for owner, kinds in sets.items()
            for kind, mesh in kinds.items()
        }
        gloss = chance.uniform(0.08, 0.7)
        wooden = chance.random() < 0.5
        self._paint = {
            owner: _varnish(owner, colour, gloss, wooden, chance) for owner, colour in paint.items()
        }
        self._lay_board(art)
        self._lay_table()
        self._lamps: list[Any] = []
        self._light()
        self._camera = self._put_camera()
        self._set_up_render()

    def corners(self) -> list[tuple[float, float]]:
        """Returns the pixels of the playing field's corners SW, SE, NE, NW."""
        half = self.count / 2
        bpy.context.view_layer.update()
        return [self._pixel((x * half, y * half, 0)) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]

    def show(self, position: Position, captured: Sequence[tuple[str, str]]) -> None:
        """Puts pieces on the board, those that were taken beside it, and the players where they sit now."""
        for thing in list(self._moving.objects):
            bpy.data.objects.remove(thing)
        for piece in position.values():
            x, y = (v - self.count / 2 for v in piece.at)
            self._stand(piece.owner, piece.kind, (x, y, 0.0), piece.turn, piece.lies)
        for n, (owner, kind) in enumerate(captured):
            side = 1 if owner == "white" else -1
            x = side * (self._edge + 0.5 + 0.6 * (n % 2) + self._chance.uniform(0, 0.1))
            y = -self.count / 2 + 0.7 * (n // 2) + self._chance.uniform(0, 0.2)
            self._stand(owner, kind, (x, y, -THICK), self._chance.uniform(0, 6), self._chance.random() < 0.3)
        self._seat_players()

    def move(self) -> None:
        """Puts the camera and the lamps elsewhere, as if the board were seen on another day."""
        for thing in [self._camera, *self._lamps]:
            bpy.data.objects.remove(thing)
        self._light()
        self._camera = self._put_camera()

    def picture(self, file: Path) -> None:
        """Renders into a PNG file."""
        self._scene.render.filepath = str(file)
        self._scene.cycles.seed = int(self._rng.integers(1 << 20))
        bpy.ops.render.render(write_still=True)

    def _stand(self, owner: str, kind: str, at: tuple[float, float, float], turn: float, lies: bool) -> None:
        thing = bpy.data.objects.new(kind, self._meshes[owner, kind])
        thing.location = (at[0], at[1], at[2] + (0.3 if lies else 0))
        thing.rotation_euler = (pi / 2 if lies else 0, 0, turn)
        _cover(thing, self._paint[owner])
        self._moving.objects.link(thing)

    def _lay_board(self, art: BoardArt) -> None:
        bpy.ops.mesh.primitive_cube_add(
            size=1, location=(0, 0, -THICK / 2), scale=(art.side, art.side, THICK)
        )
        self._edge = art.side / 2
        _cover(bpy.context.object, _printed("board", art.picture, art.side, self._chance.uniform(0.15, 0.8)))

    def _lay_table(self) -> None:
        chance, side = self._chance, 60.0
        surface = chance.choice([grained, even])
        picture = surface(
            toned(chance.choice(TABLES), 25, chance), 900, 900, chance.uniform(0.3, 2), self._rng
        )
        bpy.ops.mesh.primitive_plane_add(size=side, location=(0, 0, -THICK))
        _cover(bpy.context.object, _printed("table", picture, side / 2, chance.uniform(0.2, 0.9)))
        for n in range(chance.choice([0, 0, 1, 3])):
            angle = chance.uniform(0, 2 * pi)
            far = self._edge * 1.45 + chance.uniform(1.5, 4)
            width, height = chance.uniform(0.8, 2.5), chance.uniform(0.1, 2.0)
            add = chance.choice([bpy.ops.mesh.primitive_cube_add, bpy.ops.mesh.primitive_cylinder_add])
            place = far * cos(angle), far * sin(angle), height / 2 - THICK
            add(location=place, rotation=(0, 0, angle), scale=(width / 2, width / 2, height / 2))
            colour = toned(tuple(chance.randint(10, 245) for _ in range(3)), 5, chance)  # type: ignore[arg-type]
            _cover(bpy.context.object, _varnish(f"thing{n}", colour, 0.5, False, chance))

    def _light(self) -> None:
        chance = self._chance
        world = bpy.data.worlds.new("room")
        self._scene.world = world
        world.use_nodes = True
        world.cycles.sampling_method = "NONE"
        background = world.node_tree.nodes["Background"]
        background.inputs[0].default_value = (*chance.choice(KELVIN), 1)
        background.inputs[1].default_value = chance.choice([0.1, 0.35, 0.7, 1.0])
        self._lamps.clear()
        for n in range(chance.choice([1, 1, 2, 3])):
            kind = chance.choice(["AREA", "AREA", "SUN", "SPOT"])
            lamp = bpy.data.lights.new(f"lamp{n}", kind)
            lamp.color = chance.choice(KELVIN)
            height, angle = radians(chance.uniform(20, 85)), chance.uniform(0, 2 * pi)
            far = chance.uniform(12, 40)
            where = far * cos(height) * cos(angle), far * cos(height) * sin(angle), far * sin(height)
            if kind == "SUN":
                lamp.energy, lamp.angle = chance.uniform(0.8, 3.5), radians(chance.uniform(0.5, 20))
            else:
                lamp.energy = chance.uniform(6, 18) * far**2
                if kind == "AREA":
                    lamp.size = chance.uniform(1, 20)
                else:
                    lamp.shadow_soft_size, lamp.spot_size = (
                        chance.uniform(0.2, 2),
                        radians(chance.uniform(30, 80)),
                    )
            thing = bpy.data.objects.new(lamp.name, lamp)
            thing.location = where
            thing.rotation_euler = (-Vector(where)).to_track_quat("-Z", "Y").to_euler()
            self._scene.collection.objects.link(thing)
            self._lamps.append(thing)

    def _seat_players(self) -> None:
        """Seats two players out of the picture, who cast shadows."""
        chance = self._chance
        for side in (-1, 1):
            if chance.random() < 0.5:
                continue
            width = chance.uniform(1.5, 2.5)
            place = (
                chance.uniform(-3, 3),
                side * (self._edge + chance.uniform(2.5, 6)),
                chance.uniform(4.5, 7),
            )
            bpy.ops.mesh.primitive_uv_sphere_add(location=place, scale=(width, 1.2, 4))
            body = bpy.context.object
            body.visible_camera = False
            self._scene.collection.objects.unlink(body)
            self._moving.objects.link(body)

    def _put_camera(self) -> Any:
        """Returns where people put cameras: beside the board or above it, with lenses from wide to long; at
        times a part of the board's rim or of the heads of pieces is cut off."""
        chance = self._chance
        data = bpy.data.cameras.new("camera")
        camera = bpy.data.objects.new("camera", data)
        self._scene.collection.objects.link(camera)
        self._scene.camera = camera
        field = radians(chance.choice([12, 20, 30, 40, 50, 60, 70]))
        data.angle = field
        rise = radians(chance.uniform(*chance.choice([(32, 55), (45, 70), (65, 89), (82, 89.8)])))
        angle = radians(chance.choice([-90, -90, 0, 90, 180]) + chance.gauss(0, 10))
        way = Vector((cos(rise) * cos(angle), cos(rise) * sin(angle), sin(rise)))
        half, fill = self.count / 2, chance.uniform(0.75, 1.04)
        aim = Vector((chance.uniform(-0.4, 0.4), chance.uniform(-0.4, 0.4), 0.2))
        roll = chance.gauss(0, radians(3))
        far = half / (cos(atan(1)) * field)
        camera.rotation_euler = (way.to_track_quat("Z", "Y").to_matrix().to_4x4()).to_euler()
        camera.rotation_euler.rotate_axis("Z", roll)
        self._camera = camera
        for _ in range(40):
            camera.location = aim + way * far
            corners = np.array(self.corners()) / self._size - 0.5
            reach = 2 * float(np.abs(corners - corners.mean(axis=0)).max())
            far *= (reach / fill) ** 0.8
            drift = corners.mean(axis=0)
            right, up = (camera.matrix_world.to_3x3() @ Vector(v) for v in ((1, 0, 0), (0, 1, 0)))
            width = far * field
            aim += right * (drift[0] * width * 0.6) - up * (drift[1] * width * 0.45)
        shift = chance.uniform(-1, 1), chance.uniform(-1, 1)
        camera.location += (right * shift[0] + up * shift[1]) * far * field * 0.5 * max(0.0, 1 - fill) * 0.7
        return camera

    @property
    def _size(self) -> tuple[int, int]:
        return SIZE

    def _pixel(self, point: tuple[float, float, float]) -> tuple[float, float]:
        seen = world_to_camera_view(self._scene, self._camera, Vector(point))
        width, height = self._size
        return seen.x * width - 0.5, (1 - seen.y) * height - 0.5

    def _set_up_render(self) -> None:
        render, cycles = self._scene.render, self._scene.cycles
        render.engine, cycles.device = "CYCLES", "CPU"
        render.resolution_x, render.resolution_y = self._size
        render.use_persistent_data = True
        cycles.samples, cycles.use_adaptive_sampling = SAMPLES, False
        cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 2, 1, 1
        cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
        cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "FAST"
        cycles.use_light_tree = False
        render.image_settings.file_format = "PNG"
        self._scene.view_settings.view_transform = self._chance.choice(["AgX", "Standard", "Filmic"])

    def expose(self, level: float) -> None:
        """Sets the exposure so that the mean of the picture is near a level, 0…1."""
        view, render = self._scene.view_settings, self._scene.render
        render.resolution_percentage = 12
        for _ in range(4):
            file = Path(bpy.app.tempdir) / "exposure.png"
            self.picture(file)
            image = bpy.data.images.load(str(file))
            pixels = np.array(image.pixels[:]).reshape(-1, 4)[:, :3]
            bpy.data.images.remove(image)
            view.exposure += float(np.clip(np.log2(level / max(0.004, pixels.mean())) * 1.2, -4, 4))
        render.resolution_percentage = 100


def _mesh(name: str, mesh: Mesh) -> Any:
    made = bpy.data.meshes.new(name)
    made.from_pydata(mesh.corners, [], mesh.faces)
    made.update()
    for polygon in made.polygons:
        polygon.use_smooth = len(polygon.vertices) == 4
    made.set_sharp_from_angle(angle=radians(40))
    return made


def _cover(thing: Any, material: Any) -> None:
    if thing.data.materials:
        thing.material_slots[0].link = "OBJECT"
    else:
        thing.data.materials.append(None)
        thing.material_slots[0].link = "OBJECT"
    thing.material_slots[0].material = material


def _varnish(name: str, colour: Singles, roughness: float, wooden: bool, chance: Random) -> Any:
    """Makes a material of one colour; where it is wooden, it is lighter and darker along the grain."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    shader.inputs["Base Color"].default_value = (*linear.tolist(), 1)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Specular IOR Level"].default_value = chance.uniform(0.2, 0.7)
    if wooden:
        grain, ramp, where = (nodes.new(f"ShaderNode{n}") for n in ("TexWave", "ValToRGB", "TexCoord"))
        grain.inputs["Scale"].default_value = chance.uniform(1, 5)
        grain.inputs["Distortion"].default_value = chance.uniform(1, 8)
        depth = chance.uniform(0.5, 0.9)
        ramp.color_ramp.elements[0].color = (*(depth * linear).tolist(), 1)
        ramp.color_ramp.elements[1].color = (*np.clip(1.1 * linear, 0, 1).tolist(), 1)
        links.new(where.outputs["Object"], grain.inputs["Vector"])
        links.new(grain.outputs["Color"], ramp.inputs["Fac"])
        links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    return material


def _printed(name: str, picture: Singles, side: float, roughness: float) -> Any:
    """Makes a material of a picture laid flat, `side` wide, its middle at (0, 0)."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Specular IOR Level"].default_value = 0.4
    height, width = picture.shape[:2]
    pixels = np.ones((height, width, 4), np.float32)
    pixels[..., :3] = picture[::-1]
    image = bpy.data.images.new(name, width, height)
    image.pixels.foreach_set(pixels.ravel())
    where, place, texture = (nodes.new(f"ShaderNode{n}") for n in ("NewGeometry", "Mapping", "TexImage"))
    place.inputs["Scale"].default_value = (1 / side, 1 / side, 0)
    place.inputs["Location"].default_value = (0.5, 0.5, 0)
    texture.image = image
    links.new(where.outputs["Position"], place.inputs["Vector"])
    links.new(place.outputs["Vector"], texture.inputs["Vector"])
    links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return material
