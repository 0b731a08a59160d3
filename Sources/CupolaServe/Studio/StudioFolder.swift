#if Serve
  internal import Cupola
  internal import CupolaTraining

  // 1. Know where the files of a project are.
  // 2. Check labels and names that pages send, before they become parts of a path.
  // 3. List the files below a folder without following links.

  /// A request that cannot be carried out, with the line for the page.
  struct StudioProblem: Error, CustomStringConvertible {
    /// The status of the response.
    enum Kind: Int { case invalid = 400, missing = 404, conflict = 409, failed = 422, full = 507 }

    let message: String
    let kind: Kind

    var description: String { message }

    init(_ message: String, _ kind: Kind = .invalid) { (self.message, self.kind) = (message, kind) }
  }

  /// The two kinds of photo folders in a project.
  enum PhotoShelf: String, CaseIterable, Sendable {
    case photos, negatives
  }

  /// The files of a project: what the commands use, and `.studio/` for Studio itself.
  struct StudioFolder: Sendable {
    let path: String

    static let map = "campus.geojson"
    static let model = "campus.safetensors"
    static let report = "reports/evaluation"
    static let incoming = ".studio/incoming"
    static let trash = ".studio/trash"
    static let thumbs = ".studio/thumbs"
    static let runs = ".studio/runs"
    static let findings = ".studio/findings.json"
    static let unsorted = "unsorted"

    /// Opens a project, and creates its folders.
    init(_ path: String) throws(FileError) {
      try Directory.createAll(path)
      // Commands get absolute paths.
      self.path = FileAccess.resolved(path).map { String(decoding: $0, as: UTF8.self) } ?? path
      for name in [Self.incoming, Self.trash, Self.thumbs, Self.runs, "photos"] {
        try Directory.createAll(self.path + "/" + name)
      }
    }

    subscript(name: String) -> String { path + "/" + name }

    func exists(_ name: String) -> Bool { Directory.exists(self[name]) }

    /// A message for the page, in which files have the same names as on the page.
    func message(_ text: String) -> String { text.replacing(path + "/", with: "") }

    /// An error as a line for the page.
    func problem(_ error: any Error) -> StudioProblem {
      let known = error as? StudioProblem
      let isMissing = (error as? FileError)?.isMissing == true
      return StudioProblem(message("\(error)"), known?.kind ?? (isMissing ? .missing : .failed))
    }

    // MARK: - Names from requests

    /// Returns a label that can be a folder of the commands.
    static func checkedLabel(_ label: String) throws(StudioProblem) -> String {
      guard !Trainer.ownLabels.contains(label) else {
        throw StudioProblem("\(label): reserved by Cupola; choose another name")
      }
      guard isName(label), !label.hasPrefix("-") else {
        throw StudioProblem(
          "\(VisibleText.line(label)): not a folder name; use 1 to 255 bytes without /, and no dot or "
            + "hyphen at the start")
      }
      return label
    }

    /// Returns a relative path, such as `old_library/1.jpg`.
    static func checkedPath(_ name: String) throws(StudioProblem) -> String {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard (1...16).contains(parts.count), name.utf8.count <= 1000, parts.allSatisfy(isName) else {
        throw StudioProblem("\(VisibleText.line(name)): not a usable file name; rename it")
      }
      return name
    }

    private static func isName(_ name: String) -> Bool {
      Labels.canBeFolder(name) && !name.contains("\\")
    }

    /// Whether a batch of uploads can be a folder with this name.
    static func isBatch(_ name: String) -> Bool {
      (1...64).contains(name.utf8.count)
        && name.utf8.allSatisfy {
          Digits.isDigit($0) || $0 == 0x2D || (0x61...0x7A).contains($0 | 0x20)
        }
    }

    /// Whether a file is inside the project even after all links are followed.
    func contains(_ name: String) -> Bool {
      guard let root = FileAccess.resolved(path), let file = FileAccess.resolved(self[name]) else {
        return false
      }
      return FileAccess.isBelow(file, folder: root)
    }

    // MARK: - Listing

    /// The files below a folder, by their paths in the project. Hidden files and links to folders are ignored.
    func files(below name: String) -> [String] {
      func entries(_ path: String) throws(FileError) -> [Directory.Entry] {
        try Directory.entries(of: path).filter { !$0.isLink }
      }
      guard !Directory.isLink(self[name]), let first = try? entries(self[name]) else { return [] }
      return FolderWalk.steps(in: self[name], entries: first, listing: entries)
        .filter { $0.kind == .file }.map { name + "/" + $0.name }
    }

    /// Returns a path that neither exists nor is reserved: `1.jpg`, `1-2.jpg`, `1-3.jpg`, ...
    func free(_ name: String, reserved: inout Set<String>) -> String {
      let type = name.fileExtension.map { "." + name.suffix($0.count) } ?? ""
      let stem = name.dropLast(type.count)
      var (found, number) = (name, 2)
      while reserved.contains(found.lowercased()) || Directory.exists(self[found])
        || Directory.isLink(self[found])
      {
        found = "\(stem)-\(number)\(type)"
        number += 1
      }
      reserved.insert(found.lowercased())
      return found
    }
  }
#endif
