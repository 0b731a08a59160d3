import ArgumentParser
import Cupola
import CupolaTraining

// 1. Read a model; show it, or write it anew without traces of its photos.
// 2. The card of a model as JSON and as text.
// 3. Labels of a model for completion and for typing errors.

struct ShowModel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Shows what is inside a model file, or writes it anew, without traces of the photos.",
    discussion: """
      A model keeps hashes of the photos that trained it, so that copies of them are no tests, and \
      where they were taken, so that a position helps. Before it goes to everybody, --strip leaves \
      that out.

      EXAMPLES
        cupola model campus.safetensors --json
        cupola model old.safetensors -o campus.safetensors
        cupola model campus.safetensors --strip hashes,digests,viewpoints \\
          -o public.safetensors
      """)

  @Argument(help: "The model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Option(
    help: ArgumentHelp(
      "What to leave out: hashes, digests, viewpoints, or several with commas; needs --output.",
      valueName: "traces"))
  var strip: StrippedTraces?

  @Option(
    name: .shortAndLong,
    help: "Write the model to this file as this version does, with a digest of all of it.",
    completion: .file(extensions: ["safetensors"]))
  var output: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try PhotoArguments.checkPaths([model, output])
    try OutputFile.checkIsNoStream(output, for: "models")
    try ensure(strip == nil || output != nil, "--strip needs --output, the file to write.")
    // Written anew, a model loses nothing; what is stripped is nowhere else.
    if strip != nil { try OutputFile.check(output, isNoneOf: [model]) }
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
  /// What a model does no more without it.
  fileprivate var loss: String {
    switch self {
    case .hashes:
      "evaluate finds copies and crops of training photos only where these are beside them"
    case .digests:
      "evaluate does not know the files of its training photos, train does not --update it, and explain finds no remembered photo"
    case .viewpoints: "a position says only which mapped buildings are near"
    }
  }
}

/// What `cupola model` shows: schema `cupola.model/1`.
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
    let point = OperatingPoint(contents.calibration)
    if point.namesNothing { return "more than all buildings' probability: no photo gets one" }
    let share = point.leastShare
    // Nearly all is not all.
    if share > 0 { return "\(FigureText.apart(share, 1).0) of all buildings' probability" }
    let isKnown = contents.calibration.wrongNames != nil
    return "any probability: "
      + (isKnown ? "no line was needed" : "nobody knows which line is needed")
  }

  /// What the model promises at the usual error, and what a name needs there.
  private var promises: [(String, String)] {
    let promise = Promise(contents)
    return [
      ("promises", promise.names), ("a name needs", needed),
      ("light", promise.light ?? "each building trained on photos of several days"),
      (
        "unknown",
        promise.unknown ?? "nobody knows what buildings without photos are taken for"
      ),
    ]
  }

  var text: String {
    let (recipe, provenance) = (contents.recipe, contents.provenance)
    let counts = contents.labels.names.map { "\($0) (\(provenance.photos[$0] ?? 0))" }
    let weights = contents.weightFormat
    var rows = [
      ("model", "\(path), \(size) bytes"), ("sha256", sha256),
    ]
    if !contents.isSealed {
      rows.append(
        (
          "digest",
          "of its tensors alone: damage to labels or map would go unseen; -o writes one of all"
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
      ("weights", weights.rawValue + (weights == .int8 ? ", one scale a label" : "")),
      ("temperature", FigureText.decimal(contents.calibration.temperature, digits: 4)),
    ]
    rows += promises
    rows.append(("campus", contents.campus.map(Self.text) ?? "none"))
    if let place = contents.place { rows.append(("place", text(of: place))) }
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
    return "\(buildings) in the catalog, a fence of \(fence)"
  }

  private func text(of place: PlaceModel) -> String {
    "counts \(FigureText.decimal(place.positionWeight, digits: 2)), heading "
      + "\(FigureText.decimal(place.headingWeight, digits: 2)), photos taken from "
      + FigureText.count(viewpoints, "known place")
  }
}

/// How much a model keeps of the photos that trained it. What it keeps of Cupola's own drawn pictures tells about
/// nobody, and is counted apart.
struct TraceCounts {
  private let all: Model
  /// The model without what it keeps of the drawn pictures.
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

  /// For people; nothing of drawn pictures where there are none.
  var text: String {
    let photos = counts.map { "\($0.photos) \($0.trace)" }.joined(separator: ", ")
    let drawn = counts.filter { $0.drawn > 0 }.map { "\($0.drawn) \($0.trace)" }
      .joined(separator: ", ")
    let labels = all.labels.names.filter(DrawnPhotos.labels.contains).joined(separator: ", ")
    return "\(photos) of training photos"
      + (drawn.isEmpty ? "" : "; \(drawn) of Cupola's drawn pictures (\(labels))")
  }
}

extension Model {
  static func name(ofFile path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Says how to give an older file a digest of all of it; for commands that are run now and then, not for each photo.
  func noteDigest(path: String) {
    guard !isSealed else { return }
    Console.note(
      "note: \(path) is of an older cupola, which would not notice damage to its labels or its map; write it "
        + "anew: cupola model \(VisibleText.line(ShellWord.quoted(path))) -o NEW")
  }
}

enum ModelLabels {
  @Sendable static func completions(_ words: [String], _: Int, _ prefix: String) -> [String] {
    let model = words.lazy.compactMap { try? Model(contentsOf: $0) }.first
    return (model?.labels.names ?? []).filter { $0.hasPrefix(prefix) }
  }

  /// The label that was perhaps meant by one that the model lacks.
  static func meant(by label: String, of model: Model) -> String? {
    guard !model.labels.names.contains(label) else { return nil }
    return MisspelledLabel.all(of: [label], known: model.labels.names).first?.meant
  }
}
