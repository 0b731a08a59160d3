public import CupolaGuide
internal import CupolaSupport

/// A visitor's journal: favorites, sightings, notes and questions in a folder.
///
/// Each device appends lines to its own file, `device-NAME.jsonl`. The folder `media` contains photos and voice files,
/// named by digest. Folders that are merged (``merge(from:now:)``) have the same entries, in any order of merging.
///
/// Files have the mode 600 and folders 700. Encryption is left to the platform.
public struct Journal: Sendable {
  package let path: String
  package let device: String
  var state = JournalState()
  /// The highest number used by this device, also in files of others, because its own file may be lost.
  var number = 0
  var files: [String: JournalFileState] = [:]

  /// Opens a journal; the first entry creates the folder. Skips invalid lines.
  ///
  /// `device` is a unique name of this installation, for example a UUID in lower case: 1 to 64 of the characters a-z,
  /// 0-9 and -, without - at the ends.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)` for an invalid device name; `GuideError.file(_:)`.
  public init(at path: String, device: String) throws(GuideError) {
    guard JournalID.isDevice(device) else {
      throw .badFile(
        path: path, problem: "invalid device name; use 1 to 64 of the characters a-z, 0-9 and -")
    }
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.device = device
    guard Directory.exists(path) else { return }
    try readChanges()
  }

  /// The entries that are not deleted, sorted by time, then by identifier.
  public var entries: [JournalEntry] { state.entries }

  /// Returns an entry, or `nil` if it is deleted or unknown.
  public subscript(id: JournalID) -> JournalEntry? { state.slots[id]?.entry }

  package var count: Int { state.slots.values.count { $0.entry != nil } }

  package var findings: [JournalFinding] {
    files.sorted { $0.key < $1.key }.flatMap(\.value.findings)
  }

  static func devices(in path: String) throws(GuideError) -> [String] {
    let entries = try GuideError.files { () throws(FileError) in try Directory.entries(of: path) }
    return entries.compactMap { $0.kind == .file ? JournalFile.device(of: $0.name) : nil }
  }

  package static func hasDevice(among names: [String]) -> Bool {
    names.contains { JournalFile.device(of: $0) != nil }
  }

  static func file(of device: String, in path: String) -> String {
    path + "/" + JournalFile.name(of: device)
  }

  /// Reads the changes of other writers, so that new lines come after them. Keeps entries of removed files.
  mutating func readChanges() throws(GuideError) {
    let devices = try Self.devices(in: path)
    let present = Set(devices)
    for gone in files.keys where !present.contains(gone) { files[gone] = nil }
    var others = 0
    for device in devices {
      if device != self.device { others += 1 }
      guard device == self.device || others < JournalLimits.devices else {
        let problem = "more than \(JournalLimits.devices) devices"
        let file = JournalFile.name(of: device)
        files[device] = .skipped(file, problem, bytes: 0, identity: nil)
        continue
      }
      if files[device]?.isUnchanged(Self.file(of: device, in: path)) != true { try read(device) }
    }
  }

  private mutating func read(_ device: String) throws(GuideError) {
    let name = JournalFile.name(of: device)
    let path = Self.file(of: device, in: path)
    // Taken before reading, so that a replacement in the meantime is noticed next time.
    let identity = Directory.Identity(of: path)
    do throws(FileError) {
      let bytes = try FileAccess.read(path, limit: JournalLimits.file)
      take(bytes, of: device)
      files[device]?.identity = identity
    } catch .tooLarge(let bytes, _) {
      let problem = "\(bytes >> 20) MB are too large for a journal file"
      files[device] = .skipped(name, problem, bytes: bytes, identity: identity)
    } catch {
      throw .file(error)
    }
  }

  private mutating func take(_ bytes: [UInt8], of device: String) {
    let name = JournalFile.name(of: device)
    state.reserve(state.slots.count + bytes.count / 200)
    do throws(JournalDataError) {
      // Moves the state out, which avoids a copy.
      var state = JournalState()
      swap(&state, &self.state)
      defer { swap(&state, &self.state) }
      let report = try JournalFile.read(bytes, of: device) { operation, _ in
        state.apply(operation)
        countNumber(of: operation)
      }
      files[device] = JournalFileState(
        bytes: bytes.count, endsWithNewline: report.endsWithNewline,
        findings: report.findings(of: name))
    } catch {
      files[device] = .skipped(name, error.text, bytes: bytes.count, identity: nil)
    }
  }

  /// Updates the highest number used by this device.
  mutating func countNumber(of operation: JournalOperation) {
    if operation.stamp.device == device { number = max(number, operation.stamp.number) }
    if operation.id.device == device { number = max(number, operation.id.number) }
  }
}

/// What was found when the file of a device was read.
struct JournalFileState: Sendable {
  var bytes = 0
  /// The identity of the file, because a replacement can have the same length.
  var identity: Directory.Identity?
  /// Whether new lines start on a line of their own.
  var endsWithNewline = true
  /// The reason for skipping the file, which is then not extended either.
  var problem: String?
  var findings: [JournalFinding] = []

  func isUnchanged(_ path: String) -> Bool {
    identity == Directory.Identity(of: path) && (try? FileAccess.size(of: path)) == bytes
  }

  static func skipped(
    _ name: String, _ problem: String, bytes: Int, identity: Directory.Identity?
  ) -> JournalFileState {
    JournalFileState(
      bytes: bytes, identity: identity, problem: problem,
      findings: [.badFile(file: name, problem: problem)])
  }
}
