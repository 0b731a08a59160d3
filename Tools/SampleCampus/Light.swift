struct Light {
  var sun: Vector
  var sunColor: Vector
  var ambient: Vector
  var bounce: Vector
  var zenith: Vector
  var horizon: Vector
  var cloud: Vector
  var cover: Double
  var fog: Double
  var castsShadows = false
  var lit = 0.0
  var wet = 0.0
  var seed: Int
  var exposure = 1.0
  var leaf = Vector(0.1, 0.2, 0.05)
  var tint = Vector(gray: 1)

  /// The cloudless sky, which smooth surfaces reflect.
  func clearSky(_ d: Vector) -> Vector {
    let rise = max(d.z, 0)
    let color = horizon.mixed(with: zenith, (rise * 1.3 / (rise + 0.3)).clamped)
    let toward = max(d.dot(sun), 0)
    let wide = toward * toward * toward
    let tight = wide * wide * wide * wide * wide
    return color + sunColor
      * (0.12 * wide * (1 - rise) + (castsShadows ? 0.5 * tight : 0.1 * tight))
  }

  /// The background in all scenes: sky, clouds and a distant line of trees.
  func background(_ d: Vector) -> Vector {
    let ring = d.x / (abs(d.x) + abs(d.y) + 1e-9) + (d.y > 0 ? 5 : 0)
    let trees = 0.025 + 0.03 * Noise.smooth(ring * 9, 0, 3) + 0.012 * Noise.smooth(ring * 60, 0, 4)
    if d.z < trees {
      let grain = 0.7 + 0.6 * Noise.smooth(ring * 90, d.z * 160, 5)
      return (leaf * ambient * grain * 1.3).mixed(with: horizon, 0.35)
    }
    let sky = clearSky(d)
    let reach = 1 / (d.z + 0.14)
    let density = Noise.fractal(d.x * reach * 1.7, d.y * reach * 1.7, seed)
    let share = ((density - 0.78 + cover * 0.55) * 4).clamped
    let shade = 0.72 + 0.5 * Noise.smooth(d.x * reach * 2.4 + 0.3, d.y * reach * 2.4, seed + 9)
    return sky.mixed(with: cloud * shade, share * 0.9)
  }
}
