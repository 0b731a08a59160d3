import Cupola

/// A drawn picture of something that is no building: lawn, path, car, people, desk...
enum DrawnNegative {
  /// Draws one; the same number gives the same picture.
  ///
  /// Twelve in a row show each kind of thing once.
  static func picture(_ number: Int) -> RGBImage {
    // Other numbers than those of the sample campus, whose tests must not be trained on.
    var random = SplitMix64(seed: 7_000_000 + UInt64(number))
    let kinds = Negative.allCases
    let session = Session(
      group: "", split: "", weather: Weather.allCases[(number / kinds.count + number) % 4],
      using: &random)
    let picture = kinds[number % kinds.count].compose(session.light, using: &random)
    var scene = picture.scene
    scene.light.exposure *= random.range(0.85, 1.2)
    scene.light.tint = Vector(random.range(0.95, 1.06), 1, random.range(0.93, 1.07))
    return Renderer(scene, picture.camera).picture()
  }
}
