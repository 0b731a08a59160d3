internal import CupolaCampus

/// What a visitor keeps: favorites, places seen, notes and questions, in a folder.
///
/// A file a device, `device-NAME.jsonl`, to which lines are only added, and `media` with photos and voice files by their
/// digests. Any number of such folders, merged in any order, come to the same entries
/// (``merge(from:now:)``).
///
/// Files have the mode 600 and folders 700; to encrypt them is left to the platform.
public struct Journal: Sendable {
  /// The folder.
  public let path: String
  /// Who writes here.
  public let device: String
  /// What is wrong in the folder.
  public internal(set) var findings: [JournalFinding] = []
  /// The entries, and what was deleted.
  var state = JournalState()
  /// What the file of this device is.
  var own = OwnFile()

  /// What is known of the file to which this device adds.
  struct OwnFile: Sendable {
    /// Bytes when it was read last.
    var bytes = 0
    /// The highest number of its lines, and of the entries that this device made: its file may have been lost.
    var number = 0
    /// Whether what is added begins on a line of its own.
    var endsClean = true
    /// Why nothing may be added to it.
    var problem: String?

    /// Takes in what a line says of the numbers that are given away.
    mutating func note(_ operation: JournalOperation, of device: String) {
      if operation.stamp.device == device { number = max(number, operation.stamp.number) }
      if operation.id.device == device { number = max(number, operation.id.number) }
    }
  }

  /// Opens a journal; a folder that is missing is made when the first entry comes.
  ///
  /// Lines that cannot be read are passed over, as is the last one when it was cut; ``findings`` says so.
  ///
  /// - Parameter device: a name of this installation that no other has, such as a UUID in lower case.
  /// - Throws: ``GuideError/badJournal(path:problem:)`` when the device is none that
  ///   ``JournalID/isDevice(_:)`` accepts, or there are too many files; ``GuideError/file(_:)``.
  public init(at path: String, device: String) throws(GuideError) {
    guard JournalID.isDevice(device) else {
      throw .badJournal(
        path: path, problem: "a device is called by 1 to 64 of the characters a-z, 0-9 and -")
    }
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.device = device
    guard Directory.exists(path) else { return }
    for name in try Self.devices(in: path) { try read(name) }
  }

  /// What is not deleted, by time, then by who made it.
  public var entries: [JournalEntry] { state.entries }

  /// An entry; `nil` for one that is deleted or unknown.
  public subscript(id: JournalID) -> JournalEntry? { state.slots[id]?.entry }

  /// How many entries there are.
  public var count: Int { state.slots.values.count { $0.entry != nil } }

  // MARK: - Files

  /// The devices whose files lie in a folder, in the order of their names.
  static func devices(in path: String) throws(GuideError) -> [String] {
    let entries = try GuideError.files { () throws(FileError) in try Directory.entries(of: path) }
    let devices = entries.compactMap { $0.kind == .file ? JournalFile.device(of: $0.name) : nil }
    guard devices.count <= JournalLimits.devices else {
      throw .badJournal(path: path, problem: "more than \(JournalLimits.devices) devices")
    }
    return devices
  }

  /// Where the file of a device is.
  static func file(of device: String, in path: String) -> String {
    path + "/" + JournalFile.name(of: device)
  }

  private mutating func read(_ device: String) throws(GuideError) {
    let name = JournalFile.name(of: device)
    let path = Self.file(of: device, in: path)
    do throws(FileError) {
      let bytes = try FileAccess.read(path, limit: JournalLimits.file)
      try take(bytes, of: device)
    } catch .tooLarge(let bytes, _) {
      bad(name, of: device, "\(bytes >> 20) MB are too much for a journal")
    } catch {
      throw .file(error)
    }
  }

  /// Takes in all lines of a file.
  private mutating func take(_ bytes: [UInt8], of device: String) throws(FileError) {
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
        own.note(operation, of: self.device)
      }
      findings += report.findings(of: name)
      if device == self.device { (own.bytes, own.endsClean) = (bytes.count, report.endsClean) }
    } catch {
      bad(name, of: device, error.text)
    }
  }

  private mutating func bad(_ name: String, of device: String, _ problem: String) {
    findings.append(.badFile(file: name, problem: problem))
    if device == self.device { own.problem = problem }
  }

  /// Reads the file of this device again when somebody else added to it.
  mutating func catchUp() throws(GuideError) {
    let path = Self.file(of: device, in: path)
    guard Directory.exists(path) else {
      // Its entries stay: others may have them too.
      own = OwnFile(bytes: 0, number: own.number)
      return
    }
    let size = try GuideError.files { () throws(FileError) in try FileAccess.size(of: path) }
    if size != own.bytes { try read(device) }
  }
}
