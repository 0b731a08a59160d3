internal import Cupola

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
