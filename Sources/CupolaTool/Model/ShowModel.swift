import ArgumentParser
import Cupola
import CupolaTraining

// 1. Read a model. Show it, or rewrite it without data about its photos.
// 2. Format information about the model as JSON and as text.
// 3. Complete labels, and suggest labels for misspelled ones.

struct ShowModel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Show a model or remove traces of its photos.",
    discussion: """
      A model stores hashes of its training photos to detect copies among test photos, and viewpoints to take a \
      photo's position into account. Remove these traces with --strip before you publish a model.

      EXAMPLES
        cupola model campus.safetensors --json
        cupola model old.safetensors -o campus.safetensors
        cupola model campus.safetensors --strip hashes,digests,viewpoints \\
          -o public.safetensors
      """)

  @Argument(help: "Model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Option(
    help: ArgumentHelp(
      "Traces to remove: hashes, digests, viewpoints, or several separated by commas. Requires --output.",
      valueName: "traces"))
  var strip: StrippedTraces?

  @Option(
    name: .shortAndLong,
    help: "Model file to write, in this version's format.",
    completion: .file(extensions: ["safetensors"]))
  var output: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try PhotoArguments.checkPaths([model, output])
    try OutputFile.checkIsFile(output, for: "models")
    try ensure(strip == nil || output != nil, "--strip requires --output (file to write)")
    // The removed data cannot be restored, so the input is not overwritten.
    if strip != nil { try OutputFile.check(output, isNotAmong: [model]) }
  }

  func run() async throws {
    try await ExitStatus.reporting(about: model) {
      let bytes = try FileAccess.read(model)
      let contents = try Model(bytes: bytes)
      guard let output else { return try show(contents, model, bytes) }
      let traces = strip?.traces ?? []
      let written = try contents.stripping(traces).bytes()
      try FileAccess.write(written, to: output)
      if json { return try show(try Model(bytes: written), output, written) }
      Console.print(line: "\(output): \(written.count) bytes")
      for trace in TrainingTrace.allCases where traces.contains(trace) {
        Console.print(
          line: "  without \(trace.rawValue) (\(contents.count(of: trace))): \(trace.loss)")
      }
    }
  }

  private func show(_ contents: Model, _ path: String, _ bytes: [UInt8]) throws {
    let card = ModelCard(contents, path: path, bytes: bytes)
    if json {
      try Console.print(json: card.json)
    } else {
      Console.print(WrappedText.folded(card.text, to: Console.width))
    }
  }
}

struct StrippedTraces: ExpressibleByArgument {
  let traces: Set<TrainingTrace>

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false)
    let traces = names.compactMap { TrainingTrace(rawValue: String($0)) }
    guard traces.count == names.count else { return nil }
    self.traces = Set(traces)
  }
}

extension TrainingTrace {
  fileprivate var loss: String {
    switch self {
    case .hashes:
      "evaluate detects copies and crops of training photos only if these photos are in the same folder"
    case .digests:
      "evaluate cannot detect training photos, train cannot --update the model, and explain cannot find "
        + "stored photos"
    case .viewpoints: "a position only shows which mapped buildings are near"
    }
  }
}

/// The output of `cupola model`: schema `cupola.model/1`.
struct ModelCard {
  private let contents: Model
  private let path: String
  private let size: Int
  private let sha256: String

  init(_ contents: Model, path: String, bytes: [UInt8]) {
    (self.contents, self.path, size) = (contents, path, bytes.count)
    sha256 = SHA256.hexadecimal(of: bytes)
  }

  private var viewpoints: Int { contents.count(of: .viewpoints) }

  var json: JSONObject {
    let traces = TraceCounts(contents)
    return [
      "schema": "cupola.model/1", "model": path, "bytes": size, "sha256": sha256,
      "whole_digest": contents.isSealed,
      "labels": contents.labels.names, "recipe": contents.recipe,
      "features": contents.recipe.featureCount, "classifier": contents.classifierKind,
      "weights": contents.weightFormat,
      "traces": traces.photos, "drawn_traces": traces.drawn,
      "calibration": contents.calibration, "provenance": contents.provenance,
      "catalogue_buildings": contents.campus?.buildings.count,
      "fence_polygons": contents.campus?.geofence.polygons.count,
      "place": contents.place.map { place in
        [
          "position_weight": place.positionWeight, "heading_weight": place.headingWeight,
          "viewpoints": viewpoints,
        ] as JSONObject
      },
    ]
  }

  private var needed: String {
    let point = Thresholds(contents.calibration)
    if point.namesNothing {
      return "unreachable, so no photo gets a name"
    }
    return point.nameThresholdText
  }

  private var promises: [(String, String)] {
    let promise = ErrorGuarantee(contents)
    return [
      ("guarantee", promise.names), ("name threshold", needed),
      ("lighting", promise.light ?? "every building has training photos from several days"),
      ("unknown", promise.unknown ?? "not measured for buildings without photos"),
    ]
  }

  var text: String {
    let (recipe, provenance) = (contents.recipe, contents.provenance)
    // The label for unknown buildings has no photos.
    let counts = contents.labels.names.filter { $0 != Labels.unfamiliar }
      .map { "\(Labels.title(of: $0)) (\(provenance.photos[$0] ?? 0))" }
    let weights = contents.weightFormat
    var rows = [
      ("model", "\(path), \(size) bytes"), ("sha256", sha256),
    ]
    if !contents.isSealed {
      rows.append(
        (
          "digest",
          "covers tensors only, so damage to labels or map is not detected; rewrite the model with -o"
        ))
    }
    rows += [
      ("labels (photos)", counts.joined(separator: ", ")),
      (
        "features",
        "\(recipe.features.title), \(recipe.featureCount) values from \(recipe.inputSide)x\(recipe.inputSide)"
      ),
      ("geometry", recipe.geometry.name),
      ("classifier", contents.classifierKind.rawValue),
      ("weights", weights.rawValue + (weights == .int8 ? ", one scale per label" : "")),
      ("temperature", FigureText.decimal(contents.calibration.temperature, digits: 4)),
    ]
    rows += promises
    rows.append(("campus", contents.campus.map(Self.text) ?? "none"))
    if let place = contents.place, contents.usesPlace { rows.append(("place", text(of: place))) }
    rows += [
      ("trained by", "cupola \(provenance.version), seed \(provenance.seed)"),
      (
        "regularization",
        contents.classifierKind == .retrieval
          ? "none" : "C = \(FigureText.decimal(provenance.regularization, digits: 2))"
      ),
      ("kernel", provenance.kernel), ("training data", "sha256 \(provenance.dataDigest)"),
      ("traces", TraceCounts(contents).text),
    ]
    if let source = provenance.featuresSource {
      rows.append(
        ("features from", "other photos, sha256 \(source.dataDigest), seed \(source.seed)"))
    }
    return TextColumns.facts(rows, width: 17)
  }

  private static func text(of campus: Campus) -> String {
    let fence = FigureText.count(campus.geofence.polygons.count, "polygon")
    let buildings = FigureText.count(campus.buildings.count, "building")
    return "\(buildings), fence with \(fence)"
  }

  private func text(of place: PlaceModel) -> String {
    // Without a map, a heading has no effect.
    let heading =
      contents.campus == nil
      ? "" : "heading weight \(FigureText.decimal(place.headingWeight, digits: 2)), "
    return "position weight \(FigureText.decimal(place.positionWeight, digits: 2)), " + heading
      + FigureText.count(viewpoints, "viewpoint")
  }
}

/// The number of training photos whose data a model stores.
///
/// Rendered images that Cupola adds are counted separately, because they are not private.
struct TraceCounts {
  private let all: Model
  private let ofPhotos: Model

  init(_ model: Model) {
    all = model
    var ofPhotos = model
    for label in DrawnPhotos.labels {
      ofPhotos.provenance.photoHashes[label] = nil
      ofPhotos.provenance.photoMiddles[label] = nil
      ofPhotos.provenance.photoDigests[label] = nil
    }
    self.ofPhotos = ofPhotos
  }

  var photos: [String: Int] {
    Dictionary(uniqueKeysWithValues: counts.map { ($0.trace, $0.photos) })
  }
  var drawn: [String: Int] { Dictionary(uniqueKeysWithValues: counts.map { ($0.trace, $0.drawn) }) }

  private var counts: [(trace: String, photos: Int, drawn: Int)] {
    TrainingTrace.allCases.map { trace in
      let photos = ofPhotos.count(of: trace)
      return (trace.rawValue, photos, all.count(of: trace) - photos)
    }
  }

  var text: String {
    let photos = counts.map { "\($0.photos) \($0.trace)" }.joined(separator: ", ")
    let drawn = counts.filter { $0.drawn > 0 }.map { "\($0.drawn) \($0.trace)" }
      .joined(separator: ", ")
    let labels = all.labels.names.filter(DrawnPhotos.labels.contains).joined(separator: ", ")
    return "\(photos) of training photos"
      + (drawn.isEmpty ? "" : "; \(drawn) of Cupola's rendered images (\(labels))")
  }
}

extension Model {
  static func name(ofFile path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Prints a note if the file was written by an older version, whose digest does not cover the whole file.
  func noteDigest(path: String) {
    guard !isSealed else { return }
    Console.note(
      "note: \(path) was written by an older version, so damage to its labels or map is not detected; rewrite it "
        + "with: cupola model \(VisibleText.line(ShellWord.quoted(path))) -o NEW")
  }
}

enum ModelLabels {
  @Sendable static func completions(_ words: [String], _: Int, _ prefix: String) -> [String] {
    let model = words.lazy.compactMap { try? Model(contentsOf: $0) }.first
    return (model?.labels.names ?? []).filter { $0.hasPrefix(prefix) }
  }

  static func similarLabel(to label: String, in model: Model) -> String? {
    guard !model.labels.names.contains(label) else { return nil }
    return MisspelledLabel.all(of: [label], known: model.labels.names).first?.meant
  }
}
