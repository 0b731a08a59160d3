internal import Cupola

// 1. Read a folder's manifest and compare every file's size and digest.
// 2. If the model file is given, create the same export again, except for compiled code.
// 3. Report the first difference. The last digits of expected answers can differ between processors.

/// Verifies an export by its manifest, or byte by byte by exporting the model again.
public struct ExportVerification: Sendable {
  /// The faults, one line each; empty if there are none.
  public private(set) var faults: [String] = []
  /// The checks that passed, one line each.
  public private(set) var passed: [String] = []

  /// Verifies the export in a folder.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - source: The bytes of the model file; `nil` checks only sizes and digests.
  /// - Throws: ``ExportError/notAnExport(path:)`` if there is no manifest, ``ExportError/model(_:)`` if the model file
  ///   is invalid, and other errors if it cannot be exported.
  public init(folder: String, source: [UInt8]? = nil) throws(ExportError) {
    let path = folder + "/" + ExportManifest.path
    let bytes = try ExportError.wrapping {
      do throws(FileError) {
        return try FileAccess.read(path, limit: ExportFolder.manifestLimit)
      } catch let error where error.isMissing { throw ExportError.notAnExport(path: folder) }
    }
    guard let manifest = ExportManifest(bytes: bytes) else {
      faults.append("\(ExportManifest.path) is invalid or from another version; export again")
      return
    }
    var files = readFiles(of: manifest, in: folder)
    files[ExportManifest.path] = bytes
    if let source { try compare(files, manifest, source) }
  }

  // MARK: - Comparison with the manifest

  /// Reads the files listed in the manifest and checks their sizes and digests. Reports all other files in the folder.
  private mutating func readFiles(
    of manifest: ExportManifest, in folder: String
  ) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (name, entry) in manifest.files.sorted(by: { $0.key < $1.key }) {
      guard !name.split(separator: "/").contains(".."), !name.hasPrefix("/") else {
        faults.append("\(name) is outside the export")
        continue
      }
      do throws(FileError) {
        let bytes = try FileAccess.read(folder + "/" + name, limit: max(0, entry.bytes))
        files[name] = bytes
        if ExportManifest.Entry(bytes) != entry {
          faults.append("\(name) has changed since the export; export again")
        }
      } catch .tooLarge {
        faults.append("\(name) is larger than exported; export again")
      } catch let error where error.isMissing {
        faults.append("\(name) is missing; export again")
      } catch {
        faults.append("\(error)")
      }
    }
    let entries = (try? Directory.entries(of: folder)) ?? []
    for name in FolderWalk.steps(in: folder, entries: entries).map(\.name)
    where manifest.files[name] == nil && name != ExportManifest.path {
      faults.append("\(name) is not part of the export; remove it")
    }
    if faults.isEmpty {
      passed.append("\(files.count) files are unchanged, and there are no other files")
    }
    return files
  }

  // MARK: - Comparison with the model

  private mutating func compare(
    _ found: [String: [UInt8]], _ manifest: ExportManifest, _ source: [UInt8]
  ) throws(ExportError) {
    let digests = (SHA256.hexadecimal(of: source), manifest.note("model_sha256") ?? "?")
    guard digests.0 == digests.1 else {
      try ExportError.wrapping { _ = try Model(bytes: source) }
      faults.append(
        "the export was made from another model file (SHA-256 \(digests.1.prefix(12)) instead of "
          + "\(digests.0.prefix(12))); use that file, or export again")
      return
    }
    guard let weights = manifest.note("weights").flatMap(WeightFormat.init(rawValue:)),
      manifest.format.weightFormats.contains(weights)
    else {
      faults.append("\(ExportManifest.path) has an unknown weight format; export again")
      return
    }
    var options = ExportOptions(manifest)
    options.photos = Self.photos(in: found)
    // Other compilers produce other bytes.
    if manifest.format == .web { options.program = found[WebProgram.path] ?? [] }
    let export = try ModelExport(
      source: source, format: manifest.format, weights: weights, options: options)
    let tolerance = manifest.format.tolerance(weights).probability
    let comparison = ExportComparison(found, export, tolerance: tolerance)
    let writer = manifest.note("cupola_version") ?? "?"
    if let difference = comparison.difference {
      faults.append(
        writer == cupolaVersion
          ? "\(difference) differs from the export that Cupola \(cupolaVersion) makes from this model; export again"
          : "made by Cupola \(writer); Cupola \(cupolaVersion) makes a different export, first in "
            + "\(difference); export again, or verify it with Cupola \(writer)")
    } else if faults.isEmpty {
      let what = "\(manifest.format.rawValue) with \(weights.rawValue) weights"
      passed.append(
        "\(what), identical to the export that Cupola \(cupolaVersion) makes from this model")
      if manifest.format == .web {
        passed[passed.count - 1] +=
          ", except for the bytes of \(WebProgram.path), which depend on the compiler (its source code is identical)"
      }
      if comparison.hasDifferentDigits {
        passed.append(
          "except numbers in \(GoldenPictures.expectedPath) that differ by at most \(tolerance), "
            + "because they were computed on a different processor")
      }
    }
  }
}

extension ExportVerification {
  /// The photos of buildings in an export, in the order in which they were exported.
  private static func photos(in files: [String: [UInt8]]) -> [ExportOptions.Photo] {
    guard let expected = files[GoldenPictures.expectedPath],
      let value = try? JSONReader.value(of: expected), case .object(let members) = value,
      case .array(let pictures) = members["pictures"]
    else { return [] }
    return pictures.compactMap { picture in
      guard case .object(let picture) = picture, let name = picture["file"]?.text,
        let label = picture["building"]?.text, let bytes = files["golden/" + name]
      else { return nil }
      return ExportOptions.Photo(label: label, jpeg: bytes)
    }
  }
}

private struct ExportComparison {
  /// The file and location of the first difference; `nil` if there is none. Missing files are ignored.
  private(set) var difference: String?
  /// Whether the expected answers differ only within the tolerance, as they can between processors.
  private(set) var hasDifferentDigits = false

  init(_ found: [String: [UInt8]], _ expected: ModelExport, tolerance: Double) {
    for file in expected.files {
      guard let bytes = found[file.path], bytes != file.bytes else { continue }
      switch file.path {
      case GoldenPictures.expectedPath
      where Self.agree(bytes, file.bytes, within: tolerance):
        hasDifferentDigits = true
      case ExportManifest.path where hasDifferentDigits && Self.agree(bytes, file.bytes): continue
      default:
        difference = file.path + ", " + Self.place(bytes, file)
        return
      }
    }
  }

  /// Whether two manifests are equal except for the expected answers' digest.
  private static func agree(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    func rest(_ bytes: [UInt8]) -> ExportManifest? {
      var manifest = ExportManifest(bytes: bytes)
      manifest?.files[GoldenPictures.expectedPath] = nil
      return manifest
    }
    return rest(a) == rest(b)
  }

  /// Whether two JSON files are equal, allowing a tolerance for numbers.
  private static func agree(_ a: [UInt8], _ b: [UInt8], within tolerance: Double) -> Bool {
    guard let a = try? JSONReader.value(of: a), let b = try? JSONReader.value(of: b) else {
      return false
    }
    return agree(a, b, within: tolerance)
  }

  private static func agree(_ a: JSONValue, _ b: JSONValue, within tolerance: Double) -> Bool {
    // Answers for JPEG files have their own tolerance.
    var tolerance = tolerance
    if case .object(let picture) = b, let own = picture["tolerance"]?.double { tolerance = own }
    return switch (a, b) {
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

  // MARK: - Locations

  /// The offset of the first byte that differs, with the line (in text) or the tensor (in a model file).
  private static func place(_ found: [UInt8], _ expected: ExportFile) -> String {
    let offset =
      zip(found, expected.bytes).enumerated().first { $1.0 != $1.1 }?.offset
      ?? min(found.count, expected.bytes.count)
    let byte = "byte \(offset)"
    switch expected.path.split(separator: ".").last {
    case "safetensors":
      return tensor(at: offset, in: expected.bytes).map { "\($0), " + byte } ?? byte
    case "c", "css", "h", "html", "js", "json", "kt", "kts", "md", "py", "swift", "txt", "xml":
      let line = expected.bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
      return "line \(line), " + byte
    default: return byte
    }
  }

  /// The name of the tensor at an offset in a model file, or "header"; `nil` at the end of the file.
  private static func tensor(at offset: Int, in bytes: [UInt8]) -> String? {
    guard offset < bytes.count, let places = try? SafeTensorsIndex(of: bytes).places else {
      return nil
    }
    return places.first { $0.value.bytes.contains(offset) }.map { "tensor " + $0.key } ?? "header"
  }
}
