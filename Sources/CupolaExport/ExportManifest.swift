import Cupola

/// `export.json`: what an export holds, and the digests of its files.
struct ExportManifest: Equatable {
  static let path = "export.json"
  static let schema = "cupola.export/1"

  /// What the model is exported as.
  let format: ExportFormat
  /// The same as in ``ExportNotes``, without the map.
  let notes: [String: JSONValue]
  /// Sizes and digests by path.
  var files: [String: Entry]

  struct Entry: Equatable {
    let bytes: Int
    let sha256: String

    init(_ contents: [UInt8]) {
      bytes = contents.count
      sha256 = SHA256.hexadecimal(of: contents)
    }

    fileprivate init?(_ value: JSONValue) {
      guard case .object(let members) = value, case .integer(let bytes) = members["bytes"],
        case .string(let sha256) = members["sha256"]
      else { return nil }
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  init(format: ExportFormat, notes: ExportNotes, files: [ExportFile]) {
    self.format = format
    self.notes = notes.values
    self.files = Dictionary(uniqueKeysWithValues: files.map { ($0.path, Entry($0.bytes)) })
  }

  /// The text of a note.
  func note(_ name: String) -> String? { notes[name]?.text }

  /// The manifest as a file.
  var file: ExportFile {
    let entries = files.mapValues { entry in
      JSONValue.object(["bytes": .integer(entry.bytes), "sha256": .string(entry.sha256)])
    }
    let value = JSONValue.object([
      "schema": .string(Self.schema), "export_format": .string(format.rawValue),
      "notes": .object(notes), "files": .object(entries),
    ])
    return ExportFile(path: Self.path, bytes: JSONWriter.bytes(of: value) + [0x0A])
  }

  /// Reads a manifest; `nil` when it is none of this version.
  init?(bytes: [UInt8]) {
    guard let value = try? JSONReader.value(of: bytes), case .object(let members) = value,
      members["schema"] == .string(Self.schema),
      case .string(let name) = members["export_format"], let format = ExportFormat(rawValue: name),
      case .object(let notes) = members["notes"], case .object(let files) = members["files"]
    else { return nil }
    self.format = format
    self.notes = notes
    var entries: [String: Entry] = [:]
    for (path, value) in files {
      guard let entry = Entry(value) else { return nil }
      entries[path] = entry
    }
    self.files = entries
  }
}
