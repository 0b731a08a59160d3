import Cupola

extension Landscape {
  private static let size = Double(height)

  static func mountains(_ random: inout SplitMix64) -> Painter {
    var ridges: [(top: (Double) -> Double, face: Painter, snow: Double)] = []
    let count = random.whole(2...4)
    let snow = random.unit < 0.5 ? random.range(10, 40) : 0
    for index in 0..<count {
      let near = Double(index + 1) / Double(count)
      let top = outline(
        at: 0.3 + 0.45 * Double(index) / Double(count),
        swing: random.range(10, 35) * (1 - 0.4 * near), gain: random.range(0.55, 0.75), &random)
      let base = Vector(150, 170, 200).mixed(
        with: color(60...110, 70...120, 60...130, &random), near)
      let face = surface(
        base, strength: 0.22 * near + 0.05, gain: random.range(0.8, 1.1), &random)
      ridges.append((top, face, index < 2 ? snow : 0))
    }
    let sky = sky(cover: 0.5, &random)
    let edge = FractalNoise(across: 60, down: 60, gain: 0.9, using: &random)
    return { x, y in
      guard let ridge = ridges.last(where: { y > $0.top(x) }) else { return sky(x, y) }
      let color = ridge.face(x, y)
      let isSnow = ridge.snow > 0 && y < ridge.top(x) + ridge.snow + 6 * edge.value(x, y)
      return isSnow ? color * 0.3 + Vector(gray: 170) : color
    }
  }

  static func sea(_ random: inout SplitMix64) -> Painter {
    let sky = sky(cover: random.range(0.2, 0.9), &random)
    let horizon = (size * random.range(0.35, 0.65)).rounded()
    let water = color(20...70, 70...120, 110...170, &random)
    let far = FractalNoise(across: 60, down: 9, gain: 1, octaves: 5, using: &random)
    let near = FractalNoise(across: 160, down: 40, gain: 0.95, using: &random)
    let hasBeach = random.unit < 0.5
    let shore = outline(at: random.range(0.75, 0.9), swing: 8, gain: 0.6, &random)
    let sand = surface(Vector(215, 195, 150), strength: 0.06, gain: 1.2, &random)
    let foam = FractalNoise(across: 20, down: 20, gain: 1, octaves: 4, using: &random)
    return { x, y in
      guard y > horizon else { return sky(x, y) }
      if hasBeach {
        let over = y - shore(x)
        if over.magnitude < 3 + 2 * foam.value(x, y) { return Vector(gray: 240) }
        if over > 0 { return sand(x, y) }
      }
      let depth = (y - horizon) / (size - horizon)
      let wave = far.value(x, y) * (1 - depth) * 0.4 + near.value(x, y) * (0.2 + depth)
      return water * (1 + 0.15 * wave) + Vector(gray: 30 * (1 - depth))
    }
  }

  static func forest(_ random: inout SplitMix64) -> Painter {
    struct Trunk {
      let x, lean, width, foot: Double
      let bend: (Double) -> Double
      let bark: Painter
    }
    let foliage = surface(
      color(50...110, 90...140, 40...70, &random), strength: 0.45, gain: random.range(0.95, 1.2),
      &random)
    let light = FractalNoise(across: 120, down: 120, gain: 0.9, using: &random)
    let shade = random.range(0.3, 1.2)
    let trunks = (0..<random.whole(6...20)).map { _ in
      let pale = random.unit < 0.15
      let base =
        pale ? Vector(200, 198, 190) : Vector(90, 70, 55) * random.range(0.4, 1.3)
      return Trunk(
        x: random.range(0, Double(width)), lean: random.bell * 0.05,
        width: random.range(2, 11), foot: size * random.range(0.75, 1.05),
        bend: outline(at: 0, swing: 2, gain: 0.6, &random),
        bark: surface(base, strength: 0.25, gain: 1.1, across: 40, down: 160, &random))
    }
    let ground = outline(at: random.range(0.7, 0.92), swing: 5, gain: 0.8, &random)
    let litter = surface(
      color(80...130, 85...125, 45...55, &random), strength: 0.35, gain: 1.2, &random)
    let leaves = FractalNoise(across: 80, down: 80, gain: 1, using: &random)
    let front = surface(Vector(60, 110, 45), strength: 0.5, gain: 1.2, &random)
    return { x, y in
      var color = foliage(x, y).mixed(
        with: Vector(225, 235, 225), (light.value(x, y) - shade).clamped)
      for trunk in trunks where y < trunk.foot {
        let center = trunk.x + (y - size / 2) * trunk.lean + trunk.bend(y)
        let across = (x - center) / (trunk.width * (1 + 0.3 * y / size))
        guard across.magnitude < 1 else { continue }
        color = trunk.bark(x, y) * max(0.1, 1 - across * across).squareRoot()
      }
      if y > ground(x) { color = litter(x, y) }
      return color.mixed(with: front(x, y), ((leaves.value(x, y) - 0.9) * 2).clamped)
    }
  }

  static func meadow(_ random: inout SplitMix64) -> Painter {
    let sky = sky(cover: 0.5, &random)
    let horizon = outline(
      at: random.range(0.3, 0.6), swing: random.range(2, 12), gain: 0.4, &random)
    let isGrain = random.unit < 0.3
    let base =
      isGrain
      ? color(180...210, 160...180, 88...92, &random) : color(90...150, 130...170, 40...80, &random)
    let near = surface(base, strength: 0.3, gain: 1.25, across: 60, down: 240, &random)
    let far = surface(base, strength: 0.12, gain: 1, &random)
    let crowns = FractalNoise(across: 60, down: 1, gain: 0.9, using: &random)
    let tall = random.range(2, 12)
    let wood = surface(Vector(50, 80, 40), strength: 0.4, gain: 1.2, &random)
    let rough = FractalNoise(across: 40, down: 40, gain: 0.9, using: &random)
    let trees = (0..<random.whole(0...4)).map { _ in
      (x: random.range(0, Double(width)), radius: random.range(10, 40))
    }
    return { x, y in
      for tree in trees {
        let top = horizon(tree.x) - tree.radius * 0.8
        let reach = tree.radius * (1 + 0.25 * rough.value(x, y))
        let (across, down) = (x - tree.x, y - top)
        if across * across + down * down < reach * reach { return wood(x, y) * 1.2 }
        if across.magnitude < tree.radius * 0.07 + 0.8, down > 0, down < tree.radius * 1.8 {
          return Vector(70, 55, 40)
        }
      }
      let line = horizon(x)
      if y > line {
        let depth = (y - line) / (size - line)
        return far(x, y).mixed(with: near(x, y), depth)
      }
      return y > line - crowns.value(x, 7).magnitude * tall ? wood(x, y) : sky(x, y)
    }
  }

  static func ice(_ random: inout SplitMix64) -> Painter {
    let sky = sky(cover: 0.5, &random)
    let layers = (0..<3).map { index in
      (
        top: outline(
          at: 0.35 + 0.2 * Double(index), swing: random.range(6, 22),
          gain: random.range(0.6, 0.9), &random),
        relief: FractalNoise(
          across: 120, down: 120, gain: random.range(0.6, 0.85), using: &random),
        hasRock: random.unit < 0.4
      )
    }
    let rock = FractalNoise(across: 90, down: 90, gain: 0.85, using: &random)
    let stone = surface(Vector(90, 85, 80), strength: 0.3, gain: 1, &random)
    return { x, y in
      guard let index = layers.lastIndex(where: { y > $0.top(x) }) else { return sky(x, y) }
      let layer = layers[index]
      if layer.hasRock, rock.value(x, y) > 1.3 { return stone(x, y) }
      let relief = layer.relief.value(x, y)
      let slope = min(max((layer.relief.value(x - 2, y) - relief) * 2, -1), 1)
      return Vector(205, 220, 235) * (0.9 + 0.05 * Double(index))
        + Vector(gray: 60 * slope + 8 * relief)
    }
  }

  static func clouds(_ random: inout SplitMix64) -> Painter {
    let sky = sky(cover: 0.9, &random)
    let noise = FractalNoise(
      across: 200, down: 200 / random.range(1, 2), gain: random.range(0.6, 0.85), using: &random)
    let cover = random.range(-0.3, 0.4)
    let hasLand = random.unit < 0.5
    let land = outline(at: random.range(0.8, 0.95), swing: 4, gain: 0.7, &random)
    let dark = surface(Vector(45, 55, 40), strength: 0.3, gain: 1.1, &random)
    return { x, y in
      if hasLand, y > land(x) { return dark(x, y) }
      let here = noise.value(x, y)
      let shade = min(max(noise.value(x, y + 6), 0), 2)
      let bright = min(max(240 + 20 * noise.value(x, y - 3) - 30 * shade, 120), 255)
      return sky(x, y).mixed(with: Vector(gray: bright), (here * 0.6 + cover).clamped)
    }
  }
}
