internal import Cupola

/// Checks an export by Cupola's own rules, with no other tool: its files, what they compute, and what
/// they say.
public struct ExportVerification: Sendable {
  /// What is wrong, one line each; empty when nothing is.
  public private(set) var faults: [String] = []
  /// What was found to be right, one line each.
  public private(set) var passed: [String] = []

  /// Checks the export in a folder against the model file that it was made from.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)`` when there is no manifest;
  ///   ``CupolaError/badModel(_:)`` when the model file cannot be used.
  public init(folder path: String, source: [UInt8]) throws {
    let original = try Model(bytes: source)
    let bytes = try FileAccess.read(
      path + "/" + ExportManifest.path, limit: ExportFolder.manifestLimit)
    guard let manifest = ExportManifest(bytes: bytes) else {
      faults.append("\(ExportManifest.path) is none of this version; export again")
      return
    }
    guard let weights = manifest.weights, manifest.format.weightFormats.contains(weights) else {
      faults.append(
        "\(ExportManifest.path): the weights are in no format of \(manifest.format.rawValue)")
      return
    }
    let model = original.rounded(to: weights)
    let notes = ExportNotes(model, source: source)
    if let key = notes.difference(from: manifest.notes) {
      faults.append("\(ExportManifest.path): \"\(key)\" is not what the model says; export again")
    }
    let files = checkFiles(of: manifest, in: path)
    check(files, manifest.format, model, notes)
  }

  private mutating func check(_ condition: Bool, _ right: String, _ wrong: String) {
    if condition { passed.append(right) } else { faults.append(wrong) }
  }

  // MARK: - Files

  /// Reads what the manifest names; sizes and digests must fit, and nothing else may be there.
  private mutating func checkFiles(
    of manifest: ExportManifest, in folder: String
  ) -> [ExportFile] {
    var files: [ExportFile] = []
    let before = faults.count
    for (name, entry) in manifest.files.sorted(by: { $0.key < $1.key }) {
      guard !name.split(separator: "/").contains(".."), !name.hasPrefix("/") else {
        faults.append("\(name) lies outside the export")
        continue
      }
      do {
        let bytes = try FileAccess.read(folder + "/" + name, limit: max(0, entry.bytes))
        files.append(ExportFile(path: name, bytes: bytes))
        if ExportManifest.Entry(bytes) != entry {
          faults.append("\(name) was changed after the export; export again")
        }
      } catch FileError.tooLarge {
        faults.append("\(name) is larger than it was; export again")
      } catch {
        faults.append("\(error)")
      }
    }
    for name in Self.names(in: folder, below: "", depth: 0)
    where manifest.files[name] == nil && name != ExportManifest.path {
      faults.append("\(name) does not belong there; remove it")
    }
    if faults.count == before {
      passed.append("\(files.count) files are whole, and nothing else is there")
    }
    return files
  }

  private static func names(in folder: String, below part: String, depth: Int) -> [String] {
    let entries = (try? Directory.entries(of: folder + "/" + part)) ?? []
    return entries.flatMap { entry in
      entry.isDirectory && depth < 8
        ? names(in: folder, below: part + entry.name + "/", depth: depth + 1)
        : [part + entry.name]
    }
  }

  // MARK: - The model

  private mutating func check(
    _ files: [ExportFile], _ format: ExportFormat, _ model: Model, _ notes: ExportNotes
  ) {
    let labels = ModelExport.labels(of: model)
    let own = files.filter { file in !Self.isBeside(file.path) }
    let read: any ExportedModel
    do { read = try format.exportedModel(in: own) } catch {
      faults.append("\(own.first?.path ?? "the model"): \(ExportFormat.message(error))")
      return
    }
    passed.append("\(own[0].path) is sound \(format.rawValue)")
    check(
      read.exportedLabels == labels, "\(labels.count) labels, in the model's order",
      "its labels, or their order, are not the model's")
    check(
      read.exportedSide == model.recipe.inputSide, "pictures of \(model.recipe.inputSide) pixels",
      "its pictures have \(read.exportedSide) pixels, not \(model.recipe.inputSide)")
    do {
      let difference = try read.difference(from: model, notes: notes)
      check(
        difference == nil, "computes what the model computes, step by step",
        "it is not this model: \(difference ?? "")")
      let golden = try GoldenPictures(model)
      if faults.isEmpty { try check(read, golden, within: format.tolerance) }
      for file in golden.files(labels: labels, tolerance: format.tolerance)
      where !files.contains(file) {
        faults.append("\(file.path) is not what the model answers; export again")
      }
    } catch {
      faults.append(ExportFormat.message(error))
    }
  }

  /// Compares what the file computes with the recogniser's answers, on the golden pictures.
  private mutating func check(
    _ read: any ExportedModel, _ golden: GoldenPictures, within tolerance: Double
  ) throws {
    var largest = 0.0
    for (image, expected) in zip(golden.images, golden.probabilities) {
      let found = try read.exportedProbabilities(of: image)
      guard found.count == expected.count else { return faults.append("it gives too few answers") }
      for (a, b) in zip(found, expected) { largest = max(largest, a.isNaN ? 1 : abs(a - b)) }
    }
    let text = "probabilities of the golden pictures are within \(tolerance)"
    check(largest <= tolerance, text, "\(text): no, \(largest)")
  }

  /// Files that every export has beside the model.
  private static func isBeside(_ path: String) -> Bool {
    path.hasPrefix("golden/") || path == "README.md" || path == "campus.geojson"
  }
}

extension ExportManifest {
  /// How the weights are stored.
  var weights: WeightFormat? {
    guard case .string(let name) = notes["weights"] else { return nil }
    return WeightFormat(rawValue: name)
  }
}

extension ExportNotes {
  /// Another version may write the same export.
  private static let versionKey = "cupola_version"

  /// The first name whose value differs, or stands only on one side.
  func difference(from others: [String: JSONValue]) -> String? {
    Set(values.keys).union(others.keys).sorted().first {
      $0 != Self.versionKey && values[$0] != others[$0]
    }
  }

  /// The same for notes as texts.
  func difference(from others: [String: String]) -> String? {
    let own = texts
    return Set(own.keys).union(others.keys).sorted().first {
      $0 != Self.versionKey && own[$0] != others[$0]
    }
  }
}
