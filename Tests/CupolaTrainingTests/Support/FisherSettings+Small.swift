import Cupola

extension FisherSettings {
  /// Quick to train: one scale and a mixture of few components.
  static func small(
    _ preset: FisherSettings = .fast, components: Int = 8, hogDimensions: Int = 8
  ) -> FisherSettings {
    var settings = preset
    settings.sides = [64]
    settings.components = components
    settings.hogDimensions = hogDimensions
    settings.colorDimensions = 4
    return settings
  }
}
