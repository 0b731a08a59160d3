import Cupola

/// Casts four rays per pixel and develops the image.
struct Renderer {
  private static let tile = 20
  private let scene: Scene
  private let camera: Camera
  private let shadows: Shadows
  private let candidates: [Int]

  init(_ scene: Scene, _ camera: Camera) {
    self.scene = scene
    self.camera = camera
    let middle = camera.direction(Double(camera.width) / 2, Double(camera.height) / 2)
    shadows = Shadows(scene, around: camera.place + middle * 30, reach: 75)
    candidates = scene.visible(
      from: camera.place, along: middle, spread: 250 / camera.focal * 1.1,
      among: Array(scene.solids.indices))
  }

  func picture() -> RGBImage {
    var pixels = [UInt8](repeating: 0, count: camera.width * camera.height * 3)
    for top in stride(from: 0, to: camera.height, by: Self.tile) {
      for left in stride(from: 0, to: camera.width, by: Self.tile) {
        let half = Double(Self.tile) / 2
        let near = scene.visible(
          from: camera.place, along: camera.direction(Double(left) + half, Double(top) + half),
          spread: half * 1.5 / camera.focal, among: candidates)
        for y in top..<min(top + Self.tile, camera.height) {
          for x in left..<min(left + Self.tile, camera.width) {
            develop(x, y, near, into: &pixels)
          }
        }
      }
    }
    return RGBImage(width: camera.width, height: camera.height, pixels: pixels)
  }

  private func develop(_ x: Int, _ y: Int, _ near: [Int], into pixels: inout [UInt8]) {
    var sum = Vector(gray: 0)
    for sample in 0..<4 {
      let dx = sample & 1 == 0 ? 0.25 : 0.75
      let dy = sample < 2 ? 0.3 : 0.8
      let direction = camera.direction(Double(x) + dx, Double(y) + dy)
      // Apply tone mapping to samples before averaging, so that bright edges are not jagged.
      sum = sum + toned(seen(Ray(origin: camera.place, direction: direction), near))
    }
    var color = sum * 0.25
    if scene.light.wet > 0 { color = color.mixed(with: Vector(gray: 0.75), streak(x, y)) }
    let start = (y * camera.width + x) * 3
    pixels[start] = UInt8(color.x.clamped * 255 + 0.5)
    pixels[start + 1] = UInt8(color.y.clamped * 255 + 0.5)
    pixels[start + 2] = UInt8(color.z.clamped * 255 + 0.5)
  }

  private func seen(_ ray: Ray, _ near: [Int]) -> Vector {
    let (index, crossing) = scene.nearest(ray, among: near)
    if ray.direction.z < 0 {
      let distance = -ray.origin.z / ray.direction.z
      if distance < crossing.distance && distance < 900 { return ground(ray, distance) }
    }
    if index < 0 { return scene.light.background(ray.direction) }
    return solid(ray, index, crossing)
  }

  private func solid(_ ray: Ray, _ index: Int, _ crossing: Crossing) -> Vector {
    let place = ray.origin + ray.direction * crossing.distance
    let body = scene.solids[index]
    let local = body.local(place - body.base)
    var spot = body.spot(at: local, crossing.face)
    spot.footprint = crossing.distance * 0.6 / camera.focal
    let normal = body.normal(at: local, crossing.face)
    let finish = body.finish(of: crossing.face)
    let paint = scene.finishes[finish].paint(spot, lit: scene.light.lit)
    let contact = 0.75 + 0.25 * (place.z / 2).clamped
    return shade(paint, at: place, normal, ray, crossing.distance, contact: contact)
  }

  private func ground(_ ray: Ray, _ distance: Double) -> Vector {
    let place = ray.origin + ray.direction * distance
    let steep = max(-ray.direction.z, 0.02)
    let footprint = distance * 0.6 / camera.focal / steep.squareRoot()
    let paint = scene.ground.paint(place.x, place.y, footprint: footprint, light: scene.light)
    return shade(paint, at: place, Vector(0, 0, 1), ray, distance, contact: 1)
  }

  private func shade(
    _ paint: Paint, at place: Vector, _ normal: Vector, _ ray: Ray, _ distance: Double,
    contact: Double
  ) -> Vector {
    let light = scene.light
    var sun = max(normal.dot(light.sun), 0)
    if sun > 0, light.castsShadows, shadows.covers(place + normal * 0.02, in: scene) { sun = 0 }
    let sky = 0.5 + 0.5 * normal.z
    let around = (light.ambient * sky + light.bounce * (1 - sky)) * contact
    var color = paint.color * (around + light.sunColor * sun)
    if paint.gloss > 0 {
      let facing = -normal.dot(ray.direction)
      let bounced = ray.direction + normal * (2 * facing)
      let edge = 1 - facing.clamped
      let share = paint.gloss + (1 - paint.gloss) * edge * edge * edge * edge * 0.5
      color = color.mixed(with: mirrored(place, bounced), share.clamped)
    }
    if light.lit > 0.2 {
      color = color + paint.glow
    } else if light.lit > 0 {
      color = color + paint.glow * 0.5
    }
    let haze = distance * light.fog
    return color.mixed(with: light.horizon, haze / (1 + haze))
  }

  private func mirrored(_ place: Vector, _ direction: Vector) -> Vector {
    let light = scene.light
    if direction.z < 0 { return light.bounce * 0.4 }
    if light.wet > 0 {
      let ray = Ray(origin: place + Vector(0, 0, 0.02), direction: direction)
      let (index, crossing) = scene.nearest(ray, among: candidates)
      if index >= 0 {
        let color = scene.finishes[scene.solids[index].finish(of: crossing.face)].color
        return color * light.ambient * 0.7
      }
    }
    return light.clearSky(direction)
  }

  private func toned(_ color: Vector) -> Vector {
    let c = color * scene.light.tint * (scene.light.exposure * 1.15)
    func tone(_ x: Double) -> Double { (x * (1 + x * 0.28) / (1 + x)).squareRoot() }
    return Vector(tone(c.x), tone(c.y), tone(c.z))
  }

  private func streak(_ x: Int, _ y: Int) -> Double {
    let slanted = x * 4 + y
    let column = slanted / 4
    let start = Int(Noise.hash(column, 3, scene.light.seed) * 90)
    let piece = (y + start) / 90
    let length = (y + start) % 90
    return Noise.hash(column, piece, scene.light.seed + 1) < 0.05 && length < 26 ? 0.16 : 0
  }
}
