internal import Cupola

// 1. Read the manifest of a folder and compare size and digest of every file.
// 2. With the model file, write the same export anew.
// 3. Name the first place that differs; digits of the expected answers may differ by processor.

/// Checks an export by the manifest that it carries, and byte for byte by what Cupola writes of its
/// model.
public struct ExportVerification: Sendable {
  /// What is wrong, one line each; empty when nothing is.
  public private(set) var faults: [String] = []
  /// What was found to be right, one line each.
  public private(set) var passed: [String] = []

  /// Checks the export in a folder.
  ///
  /// - Parameters:
  ///   - folder: of the export.
  ///   - source: the bytes of the model file that it was made from; `nil` looks at sizes and digests only.
  /// - Throws: ``ExportError/noExport(path:)`` when there is no manifest; ``ExportError/model(_:)`` when the
  ///   model file cannot be used; others when it cannot be exported.
  public init(folder: String, source: [UInt8]? = nil) throws(ExportError) {
    let path = folder + "/" + ExportManifest.path
    let bytes = try ExportError.wrapping {
      do throws(FileError) {
        return try FileAccess.read(path, limit: ExportFolder.manifestLimit)
      } catch let error where error.isMissing { throw ExportError.noExport(path: folder) }
    }
    guard let manifest = ExportManifest(bytes: bytes) else {
      faults.append("\(ExportManifest.path) is none of this version; export again")
      return
    }
    var files = readFiles(of: manifest, in: folder)
    files[ExportManifest.path] = bytes
    if let source { try compare(files, manifest, source) }
  }

  // MARK: - By the manifest

  /// Reads what the manifest names; sizes and digests must fit, and nothing else may be there.
  private mutating func readFiles(
    of manifest: ExportManifest, in folder: String
  ) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (name, entry) in manifest.files.sorted(by: { $0.key < $1.key }) {
      guard !name.split(separator: "/").contains(".."), !name.hasPrefix("/") else {
        faults.append("\(name) lies outside the export")
        continue
      }
      do throws(FileError) {
        let bytes = try FileAccess.read(folder + "/" + name, limit: max(0, entry.bytes))
        files[name] = bytes
        if ExportManifest.Entry(bytes) != entry {
          faults.append("\(name) was changed after the export; export again")
        }
      } catch .tooLarge {
        faults.append("\(name) is larger than it was; export again")
      } catch let error where error.isMissing {
        faults.append("\(name) is missing; export again")
      } catch {
        faults.append("\(error)")
      }
    }
    let entries = (try? Directory.entries(of: folder)) ?? []
    for name in FolderWalk.steps(in: folder, entries: entries).map(\.name)
    where manifest.files[name] == nil && name != ExportManifest.path {
      faults.append("\(name) does not belong there; remove it")
    }
    if faults.isEmpty {
      passed.append("\(files.count) files are whole, and nothing else is there")
    }
    return files
  }

  // MARK: - By the model

  /// Writes the export anew and compares it with the files that are there.
  private mutating func compare(
    _ found: [String: [UInt8]], _ manifest: ExportManifest, _ source: [UInt8]
  ) throws(ExportError) {
    let digests = (SHA256.hexadecimal(of: source), manifest.note("model_sha256") ?? "?")
    guard digests.0 == digests.1 else {
      try ExportError.wrapping { _ = try Model(bytes: source) }
      faults.append(
        "it was made from another model file, of SHA-256 \(digests.1.prefix(12)), and not from this "
          + "one, of \(digests.0.prefix(12)); name that one, or export again")
      return
    }
    guard let weights = manifest.note("weights").flatMap(WeightFormat.init(rawValue:)),
      manifest.format.weightFormats.contains(weights)
    else {
      faults.append("\(ExportManifest.path) names weights that no export has; export again")
      return
    }
    let export = try ModelExport(source: source, format: manifest.format, weights: weights)
    let comparison = ExportComparison(found, export)
    let writer = manifest.note("cupola_version") ?? "?"
    if let difference = comparison.difference {
      faults.append(
        writer == cupolaVersion
          ? "\(difference) is not what Cupola \(cupolaVersion) writes of this model; export again"
          : "Cupola \(writer) made it; this is \(cupolaVersion), which writes it otherwise, first "
            + "\(difference); export again, or verify it with Cupola \(writer)")
    } else if faults.isEmpty {
      let what = "\(manifest.format.rawValue) with \(weights.rawValue) weights"
      passed.append("\(what), byte for byte what Cupola \(cupolaVersion) writes of this model")
      if comparison.hasOtherDigits {
        passed.append(
          "but for digits of \(GoldenPictures.expectedPath) within \(manifest.format.tolerance): "
            + "another processor computed them")
      }
    }
  }
}

/// Where the files of an export first differ from the same export written anew.
private struct ExportComparison {
  /// The file, and the place in it; `nil` when nothing differs. Files that are missing do not count.
  private(set) var difference: String?
  /// Whether the expected answers differ as they do between processors: in digits within the
  /// tolerance.
  private(set) var hasOtherDigits = false

  init(_ found: [String: [UInt8]], _ expected: ModelExport) {
    for file in expected.files {
      guard let bytes = found[file.path], bytes != file.bytes else { continue }
      switch file.path {
      case GoldenPictures.expectedPath
      where Self.agree(bytes, file.bytes, within: expected.format.tolerance):
        hasOtherDigits = true
      case ExportManifest.path where hasOtherDigits && Self.agree(bytes, file.bytes): continue
      default:
        difference = file.path + ", " + Self.place(bytes, file)
        return
      }
    }
  }

  /// Whether two manifests say the same but for the digest of the expected answers.
  private static func agree(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    func rest(_ bytes: [UInt8]) -> ExportManifest? {
      var manifest = ExportManifest(bytes: bytes)
      manifest?.files[GoldenPictures.expectedPath] = nil
      return manifest
    }
    return rest(a) == rest(b)
  }

  /// Whether two JSON files say the same, their numbers within a tolerance.
  private static func agree(_ a: [UInt8], _ b: [UInt8], within tolerance: Double) -> Bool {
    guard let a = try? JSONReader.value(of: a), let b = try? JSONReader.value(of: b) else {
      return false
    }
    return agree(a, b, within: tolerance)
  }

  private static func agree(_ a: JSONValue, _ b: JSONValue, within tolerance: Double) -> Bool {
    switch (a, b) {
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { agree($0, $1, within: tolerance) }
    case (.object(let a), .object(let b)):
      a.keys == b.keys
        && a.allSatisfy { key, value in b[key].map { agree(value, $0, within: tolerance) } ?? false
        }
    default:
      if let a = a.double, let b = b.double { abs(a - b) <= tolerance } else { a == b }
    }
  }

  // MARK: - Places

  /// The first byte that differs, with its line in a text or its tensor in a model file.
  private static func place(_ found: [UInt8], _ expected: ExportFile) -> String {
    let offset =
      zip(found, expected.bytes).enumerated().first { $1.0 != $1.1 }?.offset
      ?? min(found.count, expected.bytes.count)
    let byte = "byte \(offset)"
    switch expected.path.split(separator: ".").last {
    case "safetensors":
      return tensor(at: offset, in: expected.bytes).map { "\($0), " + byte } ?? byte
    case "c", "h", "json", "md":
      let line = expected.bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
      return "line \(line), " + byte
    default: return byte
    }
  }

  /// Names the part of a model file at an offset: a tensor or the header; `nil` at the file's end.
  private static func tensor(at offset: Int, in bytes: [UInt8]) -> String? {
    guard offset < bytes.count, let places = try? SafeTensorsIndex(of: bytes).places else {
      return nil
    }
    return places.first { $0.value.bytes.contains(offset) }.map { "tensor " + $0.key } ?? "header"
  }
}
