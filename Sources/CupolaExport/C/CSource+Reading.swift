internal import Cupola

extension CSource {
  /// Reads an export back.
  ///
  /// Every line is compared with what belongs to the numbers that were found, so nothing but what
  /// this version writes is accepted.
  /// - Throws: ``CSourceFault``.
  public init(header: [UInt8], source: [UInt8]) throws(CSourceFault) {
    let header = (bytes: header, text: try CSourceReader(header, file: Self.headerName))
    let source = (bytes: source, text: try CSourceReader(source, file: Self.sourceName))
    try Self.checkVersion(header.text)
    let recipe = try Self.recipe(header.text, source.text)
    let labels = try source.text.texts("cupola_labels")
    let tensors = try Self.tensors(source.text)
    self.init(
      version: try header.text.text("VERSION"), recipe: recipe,
      names: try source.text.texts("cupola_names"), labels: labels,
      labelOfRow: try source.text.numbers("label_of_row"),
      decision: CDecision(
        temperature: try source.text.double("TEMPERATURE"),
        leastOdds: try source.text.double("LEAST_ODDS"),
        leastShare: try source.text.double("LEAST_SHARE")),
      fence: try Self.fence(source.text), tensors: tensors,
      weights: try Self.weights(tensors))
    guard try source.text.text("TABLES_SHA256") == ModelFile.digest(of: tensors) else {
      throw .wrongDigest
    }
    try check()
    try Self.compare(header.bytes, with: self.header, Self.headerName)
    try Self.compare(source.bytes, with: self.source, Self.sourceName)
  }

  private static func checkVersion(_ header: CSourceReader) throws(CSourceFault) {
    let version = try header.text("VERSION")
    let format = try header.int("FORMAT_VERSION")
    guard format == formatVersion else { throw .otherVersion("format \(format)") }
    let recipe = try header.int("RECIPE_VERSION")
    guard recipe == Recipe.currentVersion else { throw .otherVersion("recipe \(recipe)") }
    guard version == cupolaVersion else { throw .otherVersion("Cupola \(version)") }
  }

  private static func recipe(
    _ header: CSourceReader, _ source: CSourceReader
  ) throws(CSourceFault) -> Recipe {
    let features: FeatureSettings =
      if header.constants["GREY_SIDE"] != nil {
        .hog(try hog(header, source))
      } else { .fisher(try fisher(header, source)) }
    let recipe = Self.recipe(
      inputSide: try header.int("SIDE"), geometry: try geometry(source), features: features)
    do {
      try recipe.check()
    } catch { throw .inconsistent(error.message) }
    guard recipe.featureCount > 0 else {
      throw .inconsistent("no block of its features fits the picture")
    }
    return recipe
  }

  private static func hog(
    _ header: CSourceReader, _ source: CSourceReader
  ) throws(CSourceFault) -> HOG {
    var hog = HOG.standard
    hog.orientations = try header.int("ORIENTATIONS")
    hog.cellSize = try header.int("CELL_SIZE")
    hog.blockSize = try header.int("BLOCK_SIZE")
    hog.voting = .linear
    hog.pooling = try header.int("TRIANGULAR") == 1 ? .triangular : .box
    hog.clip = try source.float("CLIP")
    hog.firstEpsilon = try source.float("FIRST_EPSILON")
    hog.secondEpsilon = try source.float("SECOND_EPSILON")
    return hog
  }

  private static func fisher(
    _ header: CSourceReader, _ source: CSourceReader
  ) throws(CSourceFault) -> FisherSettings {
    let sides = try header.constant("SIDES").split { "{}, ".contains($0) }.map { Int($0) }
    guard !sides.contains(nil) else {
      throw .unreadable("CUPOLA_SIDES", file: header.file)
    }
    var fisher = FisherSettings.balanced
    fisher.sides = sides.compactMap(\.self)
    fisher.step = try header.int("STEP")
    fisher.components = try header.int("COMPONENTS")
    fisher.hogDimensions = try header.int("HOG_DIMENSIONS")
    fisher.colourDimensions = try header.int("COLOUR_DIMENSIONS")
    fisher.colourWeight = try source.float("COLOUR_WEIGHT")
    fisher.flatContrast = try source.float("FLAT_CONTRAST")
    fisher.fullContrast = try source.float("FULL_CONTRAST")
    fisher.componentFlattening = try source.float("FLATTENING")
    return fisher
  }

  private static func geometry(_ source: CSourceReader) throws(CSourceFault) -> Geometry {
    if try source.int("CENTRE_CROP") == 1 { return .centreCrop }
    let (left, top) = (try source.int("WINDOW_LEFT"), try source.int("WINDOW_TOP"))
    let (width, height) = (try source.int("WINDOW_WIDTH"), try source.int("WINDOW_HEIGHT"))
    let fits = [(left, width), (top, height)].allSatisfy {
      (0...99).contains($0) && (1...100).contains($1) && $0 + $1 <= 100
    }
    guard fits else { throw .inconsistent("a window that leaves the photo") }
    return .window(Geometry.Window(left: left, top: top, width: width, height: height))
  }

  // MARK: - Lists and tables

  private static let vectors =
    ["classifier.bias", "classifier.scale"]
    + ["fisher.hog", "fisher.colour"].flatMap { [$0 + ".offset", $0 + ".mixture.weights"] }
  private static let matrices =
    ["classifier.weight"]
    + ["fisher.hog", "fisher.colour"].flatMap {
      [$0 + ".projection", $0 + ".mixture.means", $0 + ".mixture.variances"]
    }

  private static func tensors(
    _ source: CSourceReader
  ) throws(CSourceFault) -> [String: SafeTensors.Tensor] {
    var tensors: [String: SafeTensors.Tensor] = [:]
    for name in matrices { tensors[name] = source.tables[CTable.name(of: name)] }
    for name in vectors {
      guard let table = source.tables[CTable.name(of: name)] else { continue }
      guard table.shape[0] == 1 else {
        throw .unreadable("the table \(CTable.name(of: name))", file: source.file)
      }
      tensors[name] = .init(type: table.type, shape: [table.shape[1]], bytes: table.bytes)
    }
    return tensors
  }

  private static func weights(
    _ tensors: [String: SafeTensors.Tensor]
  ) throws(CSourceFault) -> WeightFormat {
    switch tensors["classifier.weight"]?.type {
    case "F32": .float32
    case "F16": .float16
    case "I8": .int8
    default: throw .missing("table classifier_weight", file: sourceName)
    }
  }

  private static func fence(_ source: CSourceReader) throws(CSourceFault) -> CFence? {
    guard try source.int("HAS_FENCE") == 1 else { return nil }
    let name = "fence_points"
    guard let lines = source.lists[name] else { throw .missing(name, file: source.file) }
    var points: [SIMD2<Double>] = []
    for line in lines {
      let numbers = line.split { ", ".contains($0) }.map { CLiteral.value(ofDouble: String($0)) }
      guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
        throw .unreadable(name, file: source.file)
      }
      points.append([x, y])
    }
    return CFence(
      points: points, ringEnds: try source.numbers("fence_ring_ends"),
      polygonEnds: try source.numbers("fence_polygon_ends"))
  }

  // MARK: - What must fit

  private func check() throws(CSourceFault) {
    guard names.count == labels.count, labels.first == Graph.notACampusBuilding else {
      throw .inconsistent("\(labels.count) labels and \(names.count) names")
    }
    guard labelOfRow.filter({ $0 != 0 }) == Array(1..<labels.count) else {
      throw .inconsistent("its rows are not those of its labels")
    }
    guard decision.temperature > 0, decision.temperature.isFinite else {
      throw .inconsistent("its temperature is not positive")
    }
    if let fence {
      let rings = [0] + fence.ringEnds
      let polygons = [0] + fence.polygonEnds
      guard rings == rings.sorted(), rings.last == fence.points.count,
        polygons == polygons.sorted(), polygons.last == fence.ringEnds.count
      else { throw .inconsistent("the ends of its fence's rings") }
    }
    _ = try pipeline()
  }

  private static func compare(
    _ found: [UInt8], with expected: [UInt8], _ file: String
  ) throws(CSourceFault) {
    guard found != expected else { return }
    let place =
      zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset
      ?? min(found.count, expected.count)
    let line = found.prefix(place).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    throw .changed(file: file, line: line)
  }
}

extension CSourceReader {
  func constant(_ name: String) throws(CSourceFault) -> String {
    guard let literal = constants[name] else { throw .missing("CUPOLA_\(name)", file: file) }
    return literal
  }

  private func constant<Value>(
    _ name: String, _ value: (String) -> Value?
  ) throws(CSourceFault) -> Value {
    guard let value = value(try constant(name)) else {
      throw .unreadable("CUPOLA_\(name)", file: file)
    }
    return value
  }

  func int(_ name: String) throws(CSourceFault) -> Int {
    // Larger ones no version writes, and sums of them could overflow.
    try constant(name) { literal in Int(literal).flatMap { $0.magnitude < 1 << 31 ? $0 : nil } }
  }

  func float(_ name: String) throws(CSourceFault) -> Float {
    try constant(name, CLiteral.value(ofFloat:))
  }

  func double(_ name: String) throws(CSourceFault) -> Double {
    try constant(name, CLiteral.value(ofDouble:))
  }

  func text(_ name: String) throws(CSourceFault) -> String {
    try constant(name, CLiteral.value(ofText:))
  }

  /// String literals, one a line.
  func texts(_ name: String) throws(CSourceFault) -> [String] {
    guard let lines = lists[name] else { throw .missing(name, file: file) }
    var texts: [String] = []
    for line in lines {
      guard line.hasPrefix("  "), line.hasSuffix(","),
        let text = CLiteral.value(ofText: String(line.dropFirst(2).dropLast()))
      else { throw .unreadable(name, file: file) }
      texts.append(text)
    }
    return texts
  }

  /// Whole numbers, several a line.
  func numbers(_ name: String) throws(CSourceFault) -> [Int] {
    guard let lines = lists[name] else { throw .missing(name, file: file) }
    let numbers = lines.flatMap { $0.split { ", ".contains($0) }.map { Int($0) } }
    guard !numbers.contains(nil) else { throw .unreadable(name, file: file) }
    return numbers.compactMap(\.self)
  }
}
