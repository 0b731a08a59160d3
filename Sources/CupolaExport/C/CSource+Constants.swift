internal import Cupola

extension CSource {
  /// A preprocessor constant.
  struct Constant {
    /// Without the `CUPOLA_` before it.
    let name: String
    /// As it stands in C.
    let literal: String

    init(_ name: String, _ literal: String) {
      self.name = name
      self.literal = literal
    }

    init(_ name: String, _ value: Int) { self.init(name, String(value)) }

    init(_ name: String, _ value: Bool) { self.init(name, value ? 1 : 0) }

    init(_ name: String, _ value: Float) { self.init(name, CLiteral.number(value)) }

    init(_ name: String, _ value: Double) { self.init(name, CLiteral.number(value)) }

    init(_ name: String, text: String) { self.init(name, CLiteral.text(text)) }

    var line: String { "#define CUPOLA_\(name) \(literal)\n" }
  }

  /// The sizes, which the header's declarations depend on.
  var headerConstants: [Constant] {
    [
      Constant("VERSION", text: cupolaVersion), Constant("FORMAT_VERSION", Self.formatVersion),
      Constant("RECIPE_VERSION", recipe.version), Constant("SIDE", recipe.inputSide),
      Constant("LABELS", labels.count), Constant("BUILDINGS", buildingCount),
      Constant("PLACES", placeCount), Constant("ROWS", labelOfRow.count),
      Constant("FEATURES", recipe.featureCount),
    ] + extractor.sizesInC(inputSide: recipe.inputSide)
  }

  /// Everything else but the tables.
  var sourceConstants: [Constant] {
    let crop = recipe.geometry == .centerCrop
    let window =
      if case .window(let window) = recipe.geometry { window } else {
        Geometry.Window(left: 0, top: 0, width: 100, height: 100)
      }
    return [
      Constant("TABLES_SHA256", text: ModelFile.digest(of: tensors)),
      Constant("CENTER_CROP", crop), Constant("WINDOW_LEFT", window.left),
      Constant("WINDOW_TOP", window.top), Constant("WINDOW_WIDTH", window.width),
      Constant("WINDOW_HEIGHT", window.height),
    ] + extractor.numbersInC + [
      Constant("HAS_SCALES", weights == .int8), Constant("TEMPERATURE", temperature),
      Constant("HAS_BACKGROUND", labelOfRow.contains(0)),
      Constant("HAS_UNKNOWN", hasUnknown),
      Constant("LEAST_ODDS", point.leastOdds), Constant("LEAST_SHARE", point.leastShare),
      Constant("HAS_FENCE", fence != nil),
    ] + fenceSizes
  }

  private var fenceSizes: [Constant] {
    guard let fence else { return [] }
    return [
      Constant("FENCE_POINTS", fence.points.count), Constant("FENCE_RINGS", fence.ringEnds.count),
      Constant("FENCE_POLYGONS", fence.polygonEnds.count),
    ]
  }
}
