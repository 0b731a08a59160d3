public import CupolaGuide
internal import CupolaSupport

/// A visitor's journal: favorites, sightings, notes and questions in a folder.
///
/// Each device appends lines to its own file, `device-NAME.jsonl`. The folder `media` contains photos and voice files,
/// which are named by their digests. After merging (``merge(from:now:)``), folders have the same entries, regardless of
/// the order of merging.
///
/// Files are created with mode 600 and folders with mode 700. The journal is not encrypted; use the platform's
/// encryption.
public struct Journal: Sendable {
  package let path: String
  package let device: String
  var state = JournalState()
  /// The highest number used by this device. Other devices' files are also searched, because its own file may be lost.
  var number = 0
  var files: [String: JournalFileState] = [:]
  var isSwept = false

  /// Opens a journal. The folder is created with the first entry. Invalid lines are skipped.
  ///
  /// `device` is a unique name for this installation, such as a UUID in lowercase. It has 1 to 64 of the characters
  /// a-z, 0-9 and -, and neither starts nor ends with -.
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

  /// Reads the changes made by other writers, so that new lines get a later time stamp. Keeps entries from files that
  /// were removed.
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
    // Get the identity before reading, so that a replacement during reading is detected the next time.
    let identity = Directory.Identity(of: path)
    do throws(FileError) {
      let bytes = try FileAccess.read(path, limit: JournalLimits.file)
      take(bytes, of: device)
      files[device]?.identity = identity
    } catch .tooLarge(let bytes, _) {
      let problem = "\(bytes >> 20) MB is too large for a journal file"
      files[device] = .skipped(name, problem, bytes: bytes, identity: identity)
    } catch {
      throw .file(error)
    }
  }

  private mutating func take(_ bytes: [UInt8], of device: String) {
    let name = JournalFile.name(of: device)
    state.reserve(state.slots.count + bytes.count / 200)
    do throws(JournalDataError) {
      // Move the state out of the journal, to avoid copying it.
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

/// The information collected while reading a device's file.
struct JournalFileState: Sendable {
  var bytes = 0
  /// The identity of the file; needed because a replacement may have the same length.
  var identity: Directory.Identity?
  /// Whether the file ends with a newline, so that new lines can be appended directly.
  var endsWithNewline = true
  /// The reason for skipping the file; no lines are appended to a skipped file.
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
