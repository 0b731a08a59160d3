public import CupolaGuide
internal import CupolaSupport

// A journal in a folder:
// 1. the file of each device is read when it has changed;
// 2. the lines make one state, of which the entries are what is not deleted;
// 3. findings of files are kept, and told once.

/// What a visitor keeps: favorites, places seen, notes and questions, in a folder.
///
/// A file a device, `device-NAME.jsonl`, to which lines are only added, and `media` with photos and voice files by their
/// digests. Any number of such folders, merged in any order, come to the same entries
/// (``merge(from:now:)``).
///
/// Files have the mode 600 and folders 700; to encrypt them is left to the platform.
public struct Journal: Sendable {
  package let path: String
  package let device: String
  var state = JournalState()
  /// The highest number of the lines of this device, and of the entries that it made: its file may have been lost.
  var number = 0
  var files: [String: JournalKnownFile] = [:]

  /// Opens a journal; a folder that is missing is made when the first entry comes.
  ///
  /// Lines that cannot be read are passed over, as is the last one when it was cut.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - device: a name of this installation that no other has, such as a UUID in lower case.
  /// - Throws: `GuideError.badFile(path:problem:)` for other names than 1 to 64 of the characters
  ///   a-z, 0-9 and -, none of them - at the ends; `GuideError.file(_:)`.
  public init(at path: String, device: String) throws(GuideError) {
    guard JournalID.isDevice(device) else {
      throw .badFile(
        path: path, problem: "a device is called by 1 to 64 of the characters a-z, 0-9 and -")
    }
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.device = device
    guard Directory.exists(path) else { return }
    try catchUp()
  }

  /// What is not deleted, by time, then by who made it.
  public var entries: [JournalEntry] { state.entries }

  /// An entry; `nil` for one that is deleted or unknown.
  public subscript(id: JournalID) -> JournalEntry? { state.slots[id]?.entry }

  package var count: Int { state.slots.values.count { $0.entry != nil } }

  package var findings: [JournalFinding] {
    files.sorted { $0.key < $1.key }.flatMap(\.value.findings)
  }

  // MARK: - Files

  /// The devices whose files lie in a folder, in the order of their names.
  static func devices(in path: String) throws(GuideError) -> [String] {
    let entries = try GuideError.files { () throws(FileError) in try Directory.entries(of: path) }
    return entries.compactMap { $0.kind == .file ? JournalFile.device(of: $0.name) : nil }
  }

  /// Whether the file of a device is among the names of a folder.
  package static func hasDevice(among names: [String]) -> Bool {
    names.contains { JournalFile.device(of: $0) != nil }
  }

  static func file(of device: String, in path: String) -> String {
    path + "/" + JournalFile.name(of: device)
  }

  /// Reads what somebody else added since, whoever that was: what is written now must come after it.
  ///
  /// Entries of files that are gone stay: others may have them too.
  mutating func catchUp() throws(GuideError) {
    let devices = try Self.devices(in: path)
    let present = Set(devices)
    for gone in files.keys where !present.contains(gone) { files[gone] = nil }
    var others = 0
    for device in devices {
      if device != self.device { others += 1 }
      guard device == self.device || others < JournalLimits.devices else {
        let problem = "more than \(JournalLimits.devices) devices"
        let file = JournalFile.name(of: device)
        files[device] = .passedOver(file, problem, bytes: 0, identity: nil)
        continue
      }
      if files[device]?.isStill(Self.file(of: device, in: path)) != true { try read(device) }
    }
  }

  private mutating func read(_ device: String) throws(GuideError) {
    let name = JournalFile.name(of: device)
    let path = Self.file(of: device, in: path)
    // Before the bytes: who replaces the file meanwhile is then seen the next time.
    let identity = Directory.Identity(of: path)
    do throws(FileError) {
      let bytes = try FileAccess.read(path, limit: JournalLimits.file)
      take(bytes, of: device)
      files[device]?.identity = identity
    } catch .tooLarge(let bytes, _) {
      let problem = "\(bytes >> 20) MB are too much for a journal"
      files[device] = .passedOver(name, problem, bytes: bytes, identity: identity)
    } catch {
      throw .file(error)
    }
  }

  private mutating func take(_ bytes: [UInt8], of device: String) {
    let name = JournalFile.name(of: device)
    // A line of a note has some 200 bytes.
    state.reserve(state.slots.count + bytes.count / 200)
    do throws(JournalProblem) {
      // Not copied: nobody else has it meanwhile.
      var state = JournalState()
      swap(&state, &self.state)
      defer { swap(&state, &self.state) }
      let report = try JournalFile.read(bytes, of: device) { operation, _ in
        state.apply(operation)
        note(operation)
      }
      files[device] = JournalKnownFile(
        bytes: bytes.count, endsClean: report.endsClean, findings: report.findings(of: name))
    } catch {
      files[device] = .passedOver(name, error.text, bytes: bytes.count, identity: nil)
    }
  }

  /// Takes in what a line says of the numbers that are given away.
  mutating func note(_ operation: JournalOperation) {
    if operation.stamp.device == device { number = max(number, operation.stamp.number) }
    if operation.id.device == device { number = max(number, operation.id.number) }
  }
}

/// What is known of a device's file since it was read.
struct JournalKnownFile: Sendable {
  var bytes = 0
  /// Which file they are of: one that replaces another may be as long.
  var identity: Directory.Identity?
  /// Whether what is added begins on a line of its own.
  var endsClean = true
  /// Why nothing of it was read, and nothing may be added.
  var problem: String?
  var findings: [JournalFinding] = []

  func isStill(_ path: String) -> Bool {
    identity == Directory.Identity(of: path) && (try? FileAccess.size(of: path)) == bytes
  }

  static func passedOver(
    _ name: String, _ problem: String, bytes: Int, identity: Directory.Identity?
  ) -> JournalKnownFile {
    JournalKnownFile(
      bytes: bytes, identity: identity, problem: problem,
      findings: [.badFile(file: name, problem: problem)])
  }
}
