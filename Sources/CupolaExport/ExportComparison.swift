internal import Cupola

/// Where the files of an export first differ from the same export written anew.
struct ExportComparison {
  /// The file, and the place in it; `nil` when nothing differs. Files that are missing do not count.
  private(set) var difference: String?
  /// Whether the expected answers differ as they do between processors: in digits within the
  /// tolerance.
  private(set) var hasOtherDigits = false

  /// Compares the files that were found, by their paths.
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

  /// What stands at a place of a model file: a tensor, or the header before all of them.
  private static func tensor(at offset: Int, in bytes: [UInt8]) -> String? {
    let size = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard offset >= 8 + size else { return "header" }
    guard case .object(let entries) = try? JSONReader.value(of: Array(bytes[8..<8 + size])) else {
      return nil
    }
    return entries.first { _, entry in
      guard case .object(let members) = entry, case .array(let ends) = members["data_offsets"],
        case .integer(let start) = ends.first, case .integer(let end) = ends.last
      else { return false }
      return (start..<end).contains(offset - 8 - size)
    }.map { "tensor " + $0.key }
  }
}
