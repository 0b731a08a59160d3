enum Weather: CaseIterable {
  case sunny, cloudy, dusk, rain

  /// Returns the lighting for this weather, with the sun or its afterglow at a compass azimuth.
  func light(azimuth: Double, elevation: Double, mood: Double, seed: Int) -> Light {
    let level = Angle.cosine(elevation)
    let sun = Vector(
      Angle.sine(azimuth) * level, Angle.cosine(azimuth) * level, Angle.sine(elevation))
    switch self {
    case .sunny:
      let warm = (1 - elevation / 45).clamped
      return Light(
        sun: sun, sunColor: Vector(2.1, 1.95 - 0.35 * warm, 1.7 - 0.75 * warm),
        ambient: Vector(0.5, 0.58, 0.76), bounce: Vector(0.32, 0.32, 0.24),
        zenith: Vector(0.12, 0.28, 0.66), horizon: Vector(0.58, 0.72, 0.9),
        cloud: Vector(1.5, 1.5, 1.5), cover: 0.25 + 0.3 * mood, fog: 0.0006, castsShadows: true,
        seed: seed)
    case .cloudy:
      return Light(
        sun: sun, sunColor: Vector(0.3, 0.29, 0.27), ambient: Vector(1.0, 1.03, 1.08),
        bounce: Vector(0.4, 0.4, 0.36), zenith: Vector(0.42, 0.48, 0.58),
        horizon: Vector(0.85, 0.88, 0.92), cloud: Vector(1.05, 1.07, 1.1),
        cover: 0.7 + 0.3 * mood, fog: 0.0012, seed: seed)
    case .dusk:
      return Light(
        sun: sun, sunColor: Vector(0.75, 0.36, 0.16) * (0.4 + 0.6 * mood),
        ambient: Vector(0.2, 0.23, 0.37), bounce: Vector(0.1, 0.09, 0.1),
        zenith: Vector(0.05, 0.1, 0.28), horizon: Vector(0.42, 0.34, 0.4),
        cloud: Vector(0.42, 0.26, 0.26), cover: 0.35 + 0.3 * mood, fog: 0.0012, lit: 0.5,
        seed: seed, exposure: 1.5)
    case .rain:
      return Light(
        sun: sun, sunColor: Vector(gray: 0), ambient: Vector(0.68, 0.72, 0.78),
        bounce: Vector(0.3, 0.31, 0.32), zenith: Vector(0.4, 0.43, 0.48),
        horizon: Vector(0.58, 0.61, 0.65), cloud: Vector(0.5, 0.53, 0.57), cover: 0.9,
        fog: 0.002 + 0.003 * mood, lit: 0.12, wet: 1, seed: seed)
    }
  }
}
