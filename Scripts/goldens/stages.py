"""Draws the stages from the pixels of a photo to its answer, and recomputes a model's `fisher` features with NumPy."""
import json
import math
import struct

import numpy as np
from PIL import Image, ImageDraw, ImageFont

PAPER, INK, FAINT, ORANGE, BLUE = (255, 255, 255), (40, 40, 40), (200, 200, 200), (217, 95, 2), (49, 104, 172)
TILE, GAP, LINE = 300, 16, 26


class Model:
    """A `fisher` model, read from a safetensors file."""

    def __init__(self, path):
        data = path.read_bytes()
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8:8 + length])
        self.texts = header.pop("__metadata__")
        kinds = {"F32": np.float32, "F16": np.float16}
        self.tensors = {}
        for name, tensor in header.items():
            first, last = (8 + length + at for at in tensor["data_offsets"])
            values = np.frombuffer(data[first:last], kinds[tensor["dtype"]])
            self.tensors[name] = values.reshape(tensor["shape"]).astype(np.float64)
        self.labels = json.loads(self.texts["labels"])
        recipe = json.loads(self.texts["recipe"])
        self.side, self.settings = recipe["inputSide"], recipe["features"]["fisher"]

    def encoder(self, kind):
        def tensor(name):
            return self.tensors[f"fisher.{kind}.{name}"]

        return {name: tensor(name) for name in
                ("projection", "offset", "mixture.weights", "mixture.means", "mixture.variances")}


def averaged(image, width, height):
    """Shrink an image with exact area averaging."""
    def overlaps(old, new):
        edges = np.arange(old + 1) * new
        starts = np.arange(new)[:, None] * old
        return np.clip(np.minimum(edges[1:], starts + old) - np.maximum(edges[:-1], starts), 0, None) / old

    return np.einsum("yh,xw,hwc->yxc", overlaps(image.shape[0], height), overlaps(image.shape[1], width), image)


def luma(image):
    return (77 * image[..., 0] + 150 * image[..., 1] + 29 * image[..., 2]) / 256


def gradients(gray):
    across, down = np.zeros_like(gray), np.zeros_like(gray)
    across[:, 1:-1] = gray[:, 2:] - gray[:, :-2]
    down[1:-1] = gray[2:] - gray[:-2]
    return across, down


def votes(gray):
    """Return eight planes, one per direction. Each pixel's gradient is split between the two nearest directions."""
    across, down = gradients(gray)
    angle = np.arctan2(down, across) / (math.pi / 4)
    length = np.hypot(across, down)
    planes = np.zeros(gray.shape + (8,))
    lower = np.floor(angle)
    # Split the gradient into components along the two nearest directions.
    turn = (angle - lower) * math.pi / 4
    for bin, share in (lower, np.sin(math.pi / 4 - turn)), (lower + 1, np.sin(turn)):
        np.put_along_axis(planes, (bin.astype(int) % 8)[..., None], (length * share / math.sin(math.pi / 4))[..., None], -1)
    return planes


def pooled(planes):
    """Return the result of a 7x7 triangle filter at every second pixel."""
    window = np.array([1, 2, 3, 4, 3, 2, 1]) / 4
    for axis in 0, 1:
        padding = [(3, 3) if at == axis else (0, 0) for at in range(3)]
        wide = np.pad(planes, padding)
        size = planes.shape[axis]
        planes = sum(weight * np.take(wide, range(at, at + size), axis) for at, weight in enumerate(window))
    return planes[::2, ::2]


def color_cells(image):
    """Return means and deviations of the opponent colors in 4x4 pixels, at every second pixel."""
    r, g, b = (image[..., channel] / 255 for channel in range(3))
    colors = np.stack([(r + g + b) / 3, (r - g) / math.sqrt(2), (r + g - 2 * b) / math.sqrt(6)], -1)
    both = np.concatenate([colors, colors * colors], -1)
    half = both.shape[0] // 2
    sums = both.reshape(half, 2, half, 2, 6).sum((1, 3))
    before = np.concatenate([sums[:1], sums[:-1]])
    sums = before + sums
    sums = (np.concatenate([sums[:, :1], sums[:, :-1]], 1) + sums) / 16
    return np.concatenate([sums[..., :3], np.sqrt(np.maximum(sums[..., 3:] - sums[..., :3] ** 2, 0))], -1), colors


class Scale:
    """The patches of an image at one scale."""

    def __init__(self, image, step):
        self.image, self.side = image, image.shape[0]
        self.gray = luma(image)
        self.cells = pooled(votes(self.gray))
        self.color, self.opponents = color_cells(image)
        self.count = max(0, (self.side - 16 + step - 1) // step)
        self.step = step
        places = [(row, column) for row in range(self.count) for column in range(self.count)]
        self.hog = np.array([self.descriptor(self.window(self.cells, *place)) for place in places])
        windows = np.array([self.window(self.color, *place) for place in places])
        self.color_rows = windows.reshape(len(places), -1)
        self.brightness, self.deviation = windows[..., 0].sum(1), windows[..., 3].sum(1)
        center = [(2 + at * step + 6) / self.side - 0.5 for at in range(self.count)]
        self.places = np.array([(center[column], center[row]) for row, column in places])

    def window(self, cells, row, column):
        top, left = 1 + row * self.step // 2, 1 + column * self.step // 2
        return cells[top:top + 8:2, left:left + 8:2].reshape(16, -1)

    @staticmethod
    def descriptor(cells):
        cells = np.minimum(cells / (np.sqrt((cells * cells).sum()) + 0.01), 0.2)
        return np.sqrt(cells / (cells.sum() + 1e-6)).ravel()


def fisher_vector(encoder, rows, places, weights, flattening):
    z = np.concatenate([rows @ encoder["projection"].T - encoder["offset"], places], 1)
    pi, mean, variance = (encoder["mixture." + name] for name in ("weights", "means", "variances"))
    scores = np.log(pi) - 0.5 * (((z[:, None] - mean) ** 2 / variance) + np.log(2 * math.pi * variance)).sum(2)
    q = np.exp(scores - scores.max(1, keepdims=True))
    q /= q.sum(1, keepdims=True)
    shares = q * weights[:, None]
    u = (z[:, None] - mean) / np.sqrt(variance)
    scale = weights.sum() * np.sqrt(pi)[:, None]
    parts = np.stack([(shares[..., None] * u).sum(0) / scale, (shares[..., None] * (u * u - 1)).sum(0) / scale / math.sqrt(2)])
    parts = np.sign(parts) * np.sqrt(np.abs(parts))
    norms = np.sqrt((parts ** 2).sum((0, 2), keepdims=True))
    parts /= np.where(norms > 0, norms, 1) ** flattening
    return parts / np.linalg.norm(parts), q


class Stages:
    """All intermediate results for one photo."""

    def __init__(self, model, photo, square):
        """`square` is a JPEG file of the model's input square, which `cupola` also reads. It does not read the photo itself, because
        libjpeg decodes some sizes with a filter that NumPy lacks."""
        self.model = model
        self.photo = Image.open(photo).convert("RGB")
        small = np.floor(averaged(np.asarray(self.photo, np.float64), model.side, model.side) + 0.5)
        Image.fromarray(small.astype(np.uint8)).save(square, quality=100, subsampling=0)
        self.square = np.asarray(Image.open(square), np.float64)
        settings = model.settings
        self.scales = [Scale(averaged(self.square, side, side), settings["step"]) for side in settings["sides"]]
        self.weigh(settings)
        counts = self.weights > 0
        places = np.concatenate([scale.places for scale in self.scales])[counts]
        self.parts, self.shares = [], []
        for kind, rows in ("hog", "hog"), ("colour", "color_rows"):
            values = np.concatenate([getattr(scale, rows) for scale in self.scales])[counts]
            part, q = fisher_vector(model.encoder(kind), values, places, self.weights[counts], settings["componentFlattening"])
            self.parts.append(part)
            self.shares.append(q)
        vector = np.concatenate([self.parts[0].ravel(), settings["colourWeight"] * self.parts[1].ravel()])
        self.vector = vector / np.linalg.norm(vector)
        self.logits = model.tensors["classifier.weight"] @ self.vector + model.tensors["classifier.bias"]

    def weigh(self, settings):
        brightness = np.concatenate([scale.brightness for scale in self.scales])
        deviation = np.concatenate([scale.deviation for scale in self.scales])
        level = brightness.mean() + 0.02 * 16
        flat, full = settings["flatContrast"], settings["fullContrast"]
        self.weights = np.clip((deviation - flat * level) / (level * (full - flat)), 0, 1)


# Drawing


def font(size):
    return ImageFont.load_default(size)


def sheet(tiles, captions, columns=None):
    """Arrange images of equal height in rows, each with a caption."""
    columns = columns or len(tiles)
    rows = [tiles[at:at + columns] for at in range(0, len(tiles), columns)]
    width = max(sum(tile.width for tile in row) + GAP * (len(row) - 1) for row in rows)
    height = sum(max(tile.height for tile in row) + LINE + GAP for row in rows) - GAP
    page = Image.new("RGB", (width, height), PAPER)
    draw, top, number = ImageDraw.Draw(page), 0, 0
    for row in rows:
        left = 0
        for tile in row:
            page.paste(tile, (left, top))
            draw.text((left, top + tile.height + 5), captions[number], INK, font(15))
            left, number = left + tile.width + GAP, number + 1
        top += max(tile.height for tile in row) + LINE + GAP
    return page


def gray_tile(plane, low, high, size=TILE):
    values = np.clip((plane - low) / (high - low), 0, 1) * 255
    return Image.fromarray(values.astype(np.uint8)).resize((size, size), Image.BICUBIC).convert("RGB")


def diverging_tile(plane, most, size=TILE):
    """Return a color for each value: white for 0, orange for positive values, and blue for negative values."""
    share = np.clip(plane / most, -1, 1)[..., None]
    ends = np.where(share > 0, np.array(ORANGE), np.array(BLUE))
    colors = 255 + (ends - 255) * np.abs(share)
    return Image.fromarray(colors.astype(np.uint8)).resize((size, size), Image.BICUBIC)


def direction_colors(angle, strength):
    hue = (angle / (2 * math.pi)) % 1 * 6
    channels = [np.clip(np.abs((hue + shift) % 6 - 3) - 1, 0, 1) for shift in (0, 4, 2)]
    colors = np.stack(channels, -1) * 0.85
    return 255 - (255 - colors * 255) * np.clip(strength, 0, 1)[..., None]


def wheel(size):
    at = np.linspace(-1, 1, size)
    x, y = np.meshgrid(at, at)
    radius = np.hypot(x, y)
    colors = direction_colors(np.arctan2(y, x), np.where(radius <= 1, radius, 0))
    return Image.fromarray(colors.astype(np.uint8))


def draw_preparation(stages):
    photo = stages.photo.resize((400, 300), Image.LANCZOS)
    square = Image.fromarray(stages.square.astype(np.uint8)).resize((TILE, TILE), Image.NEAREST)
    size = f"{stages.photo.width} x {stages.photo.height}"
    return sheet([photo, square], [f"The photo, upright: {size}", f"The square: {stages.model.side} x {stages.model.side}"])


def draw_planes(stages):
    scale = stages.scales[0]
    _, red_green, blue_yellow = np.moveaxis(scale.opponents, -1, 0)
    most = max(np.abs(red_green).max(), np.abs(blue_yellow).max()) * 0.8
    tiles = [gray_tile(scale.gray, 0, 255), diverging_tile(red_green, most), diverging_tile(blue_yellow, most)]
    return sheet(tiles, ["Luma", "Red (orange) or green (blue)", "Yellow (orange) or blue (blue)"])


def draw_gradients(stages):
    across, down = gradients(stages.scales[0].gray)
    strength = np.sqrt(np.hypot(across, down) / 160)
    tile = Image.fromarray(direction_colors(np.arctan2(down, across), strength).astype(np.uint8))
    tile = tile.resize((480, 480), Image.NEAREST)
    tile.paste(wheel(76), (480 - 84, 8))
    return sheet([tile], ["Each color is a direction in which it gets brighter"])


def draw_cell(draw, center, radius, values, most, width=1):
    """Draw a star of eight rays whose lengths represent the votes for their directions."""
    for bin, value in enumerate(values):
        reach = radius * min(1, math.sqrt(value / most))
        if reach < 2:
            continue
        angle = bin * math.pi / 4
        end = center[0] + reach * math.cos(angle), center[1] + reach * math.sin(angle)
        draw.line([center, end], ORANGE, width)


def draw_cells(stages):
    scale = stages.scales[0]
    size = 540
    factor = size / scale.side
    tile = gray_tile(scale.gray, -250, 255, size)
    draw = ImageDraw.Draw(tile)
    most = np.percentile(scale.cells.max(-1), 99)
    for row in range(2, scale.cells.shape[0], 4):
        for column in range(2, scale.cells.shape[1], 4):
            draw_cell(draw, (2 * column * factor, 2 * row * factor), 5 * factor, scale.cells[row, column], most, 2)
    place = strongest_patch(scale)
    corner = [(2 + at * scale.step - 2) * factor for at in place]
    draw.rectangle([corner[1], corner[0], corner[1] + 16 * factor, corner[0] + 16 * factor], outline=BLUE, width=3)
    return sheet([tile, draw_patch(scale, place)], ["Votes for eight directions, every eighth pixel", "One patch: 4 x 4 cells of 8 numbers"])


def strongest_patch(scale):
    """Return the strongest patch in the center of the image, where the building is."""
    weight = scale.deviation.reshape(scale.count, scale.count).copy()
    edge = scale.count // 4
    middle = weight[edge:-edge, edge:-edge]
    row, column = divmod(middle.argmax(), middle.shape[1])
    return row + edge, column + edge


def draw_patch(scale, place, size=TILE):
    top, left = (at * scale.step for at in place)
    part = scale.gray[top:top + 16, left:left + 16]
    tile = gray_tile(part, part.min() - 250, part.max(), size)
    draw = ImageDraw.Draw(tile)
    cells = scale.window(scale.cells, *place)
    for at, values in enumerate(cells):
        center = [(at % 4 + 0.5) * size / 4, (at // 4 + 0.5) * size / 4]
        draw_cell(draw, tuple(center), size / 9, values, cells.max(), 3)
    for line in range(5):
        here = min(size - 1, line * size // 4)
        draw.line([(here, 0), (here, size)], BLUE)
        draw.line([(0, here), (size, here)], BLUE)
    return tile


def patch_tile(stages, number, color, size):
    """Draw a disk on each patch of a scale; `color` returns its color and relative radius, or None."""
    scale = stages.scales[number]
    first = sum(each.count ** 2 for each in stages.scales[:number])
    tile = gray_tile(scale.gray, -350, 255, size)
    draw, factor = ImageDraw.Draw(tile), size / scale.side
    for patch in range(scale.count ** 2):
        row, column = divmod(patch, scale.count)
        x, y = ((2 + at * scale.step + 6) * factor for at in (column, row))
        dot = color(first + patch)
        if dot:
            radius = dot[1] * scale.step * factor * 0.48
            draw.ellipse([x - radius, y - radius, x + radius, y + radius], dot[0])
    return tile


def draw_patches(stages):
    def color(patch):
        weight = stages.weights[patch]
        return (ORANGE, 0.25 + 0.65 * weight) if weight > 0 else (BLUE, 0.14)

    tiles = [patch_tile(stages, number, color, 400) for number in range(2)]
    flat = int((stages.weights == 0).sum())
    captions = [f"Patches of the picture of {scale.side} x {scale.side}" for scale in stages.scales]
    captions[1] += f"; {flat} of {len(stages.weights)} are flat"
    return sheet(tiles, captions)


def draw_vector(stages):
    shares = np.zeros((len(stages.weights), stages.shares[0].shape[1]))
    shares[stages.weights > 0] = stages.shares[0]
    palette = [tuple(int(v) for v in direction_colors(np.array(at * 2.399963), np.array(0.95))) for at in range(shares.shape[1])]

    def color(patch):
        return (palette[shares[patch].argmax()], 0.9) if stages.weights[patch] > 0 else None

    means = stages.parts[0][0]
    heat = diverging_tile(means, np.percentile(np.abs(means), 99))
    heat = heat.resize((400 * means.shape[1] // means.shape[0], 400), Image.NEAREST)
    captions = ["Each patch in the color of its component", f"{means.shape[0]} components x {means.shape[1]} numbers"]
    return sheet([patch_tile(stages, 0, color, 400), heat], captions)


def draw_logits(stages, names):
    """Draw bar charts of the logits of all labels and their softmax probabilities."""
    temperature = json.loads(stages.model.texts["calibration"])["temperature"]
    powers = np.exp((stages.logits - stages.logits.max()) / temperature)
    chances = powers / powers.sum()
    order = np.argsort(-stages.logits)
    page = Image.new("RGB", (860, 34 + 24 * len(order)), PAPER)
    draw = ImageDraw.Draw(page)
    scale = 220 / np.abs(stages.logits).max()
    for x, text in (8, "label"), (250, "logit"), (600, "probability, by the picture alone"):
        draw.text((x, 6), text, INK, font(15))
    for row, label in enumerate(order):
        top = 32 + 24 * row
        name = stages.model.labels[label]
        draw.text((8, top), names.get(name, name), INK, font(15))
        end = 370 + scale * stages.logits[label] * 0.8
        draw.rectangle([min(370, end), top + 3, max(370, end), top + 17], ORANGE if stages.logits[label] > 0 else BLUE)
        if chances[label] >= 0.005:
            draw.rectangle([600, top + 3, 600 + 180 * chances[label], top + 17], ORANGE)
            draw.text((608 + 180 * chances[label], top), f"{100 * chances[label]:.0f} %", INK, font(15))
    draw.line([(370, 32), (370, page.height)], FAINT)
    return page
