#if Serve
  internal import CupolaCampus
  internal import CupolaTraining
  internal import Foundation

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  // 1. Start and cancel jobs: check, train, measure and export.
  // 2. Run each command as a child process, so that a crash or a cancellation changes nothing.
  // 3. Run the live page for phones at the same time as jobs.

  extension StudioProject {
    /// Starts a job, and returns its number.
    func start(_ request: JSONValue) throws -> Int {
      let kind = request["kind"]?.text ?? ""
      if kind == "phone" { return try startPhone() }
      guard !jobs.isRunning else {
        throw StudioProblem("another job is running; wait for it, or cancel it", .conflict)
      }
      let work = try work(kind, format: request["format"]?.text ?? "")
      let id = jobs.begin(kind)
      jobs.update { $0.format = request["format"]?.text }
      noteChange()
      Task {
        do {
          let result = try await work()
          jobs.update { ($0.state, $0.result, $0.process) = (.done, result, nil) }
        } catch {
          let message = folder.problem(error).message
          jobs.update { job in
            if job.state == .running { (job.state, job.message) = (.failed, message) }
            job.process = nil
          }
        }
        scan(now: true)
        noteChange()
      }
      return id
    }

    private func work(
      _ kind: String, format: String
    ) throws(StudioProblem) -> () async throws -> JSONValue? {
      switch kind {
      case "check": return checkPhotos
      case "train": return train
      case "evaluate": return evaluate
      case "export" where !Self.formats.contains(format):
        throw StudioProblem(
          "format must be one of \(Self.formats.joined(separator: ", "))")
      case "export" where !folder.exists(StudioFolder.model): throw Self.noModel
      case "export": return { try await self.export(format) }
      default: throw StudioProblem("kind must be check, train, evaluate, export or phone")
      }
    }

    static var noModel: StudioProblem {
      StudioProblem("there is no model yet; train one first", .conflict)
    }

    private static var noProgram: StudioProblem {
      StudioProblem("the program cannot be started; install Cupola again", .failed)
    }

    func cancel() {
      guard jobs.isRunning else { return }
      jobs.update { $0.state = .canceled }
      if let process = jobs.last?.process { InstalledProgram.signal(process, SIGINT) }
      noteChange()
    }

    // MARK: - Commands

    private func checkPhotos() async throws -> JSONValue? {
      let report = try await run(
        ["check", folder["photos"], "--json"] + campus + negatives, [0, 1, 65])
      findings = try StudioFindings(of: report, in: folder)
      return nil
    }

    private func train() async throws -> JSONValue? {
      try await completeTable()
      let new = folder[StudioFolder.incoming] + "/model.safetensors"
      let figures = try await run(
        ["train", folder["photos"], "-o", new, "--json"] + campus + negatives, useful)
      try Directory.rename(new, to: folder[StudioFolder.model])
      if let figures { try jobs.record(figures, in: folder) }
      return jobs.lastRun?["figures"]
    }

    /// Adds new photos to the split table, as one change.
    private func completeTable() async throws {
      let table = "photos/split.csv"
      guard folder.exists(table), let photos = try? PhotoSet(root: folder["photos"]) else { return }
      let new = photos.unlisted().count
      guard new > 0 else { return }
      let (copy, number) = (folder[newBatch() + "/copy.csv"], journal.next)
      let old = try FileAccess.read(folder[table])
      try Directory.createAll(FileAccess.folder(of: copy))
      try FileAccess.write(old, to: copy)
      defer { Directory.remove(copy) }
      try await run(["split", folder["photos"], "-o", copy], useful)
      let bytes = try FileAccess.read(copy)
      // Another window may have moved photos meanwhile, and photos that cannot be read are not added.
      guard journal.next == number, bytes != old else { return }
      let title = "Add \(FigureText.count(new, "photo")) to split.csv"
      try commit(title, try replacing(table, by: bytes))
    }

    /// Measures a model that was trained like the project's model, but without a fifth of the photos.
    private func evaluate() async throws -> JSONValue? {
      let photos = folder["photos"]
      var (model, split) = (folder[StudioFolder.model], [String]())
      if folder.exists("photos/split.csv") {
        guard folder.exists(StudioFolder.model) else { throw Self.noModel }
      } else {
        let work = folder[".studio/measure"]
        try Directory.createAll(work)
        split = ["--split", work + "/split.csv"]
        model = work + "/model.safetensors"
        try await run(["split", photos, "-o", work + "/split.csv", "--force"], useful)
        try await run(
          ["train", photos, "-o", model, "--json"] + split + campus + negatives, useful)
      }
      let report = folder[StudioFolder.report]
      try Directory.createAll(report)
      try await run(
        ["evaluate", model, photos, "--report", report, "--json", "--no-refits"] + split
          + negatives, useful)
      let bytes = try FileAccess.read(report + "/report.json")
      if let value = try? JSONReader.value(of: bytes) { try jobs.measure(value, in: folder) }
      return .object(["report": .string("/api/report")])
    }

    private func export(_ format: String) async throws -> JSONValue? {
      try Directory.createAll(folder["exports"])
      try await run(
        [
          "export", folder[StudioFolder.model], "--format", format, "-o",
          folder["exports/\(format)"],
        ])
      return .object(["format": .string(format)])
    }

    /// The exit codes of a command that has processed all usable photos.
    private var useful: Set<Int32> { [0, 1] }

    private var campus: [String] {
      folder.exists(StudioFolder.map) ? ["--campus", folder[StudioFolder.map]] : []
    }

    private var negatives: [String] {
      !index.labels(on: .negatives).isEmpty ? ["--negatives", folder["negatives"]] : []
    }

    // MARK: - Processes

    /// Runs a command of this program as part of the current job, and returns its JSON output.
    @discardableResult
    private func run(_ command: [String], _ accepted: Set<Int32> = [0]) async throws -> JSONValue? {
      let id = jobs.last?.id
      jobs.update { ($0.stage, $0.done, $0.of, $0.secondsLeft) = ("starting", nil, nil, nil) }
      noteChange()
      let result = try await runChild(command, named: "job", accepted) { lines, process in
        self.jobs.update { job in
          guard job.id == id else { return }
          job.process = process
          for line in lines { job.read(line) }
        }
        // The job may have been canceled before the process started.
        if self.jobs.last?.state == .canceled, let process {
          InstalledProgram.signal(process, SIGINT)
        }
        if !lines.isEmpty { self.noteChange() }
      }
      guard jobs.last?.state != .canceled else { throw CancellationError() }
      return result
    }

    /// Runs a command of this program, and returns its JSON output.
    ///
    /// - Parameters:
    ///   - token: The token of a server.
    ///   - follow: Receives new lines of its messages, and the process while it runs.
    func runChild(
      _ command: [String], named name: String, _ accepted: Set<Int32>, token: String? = nil,
      follow: ([Substring], Int32?) -> Void
    ) async throws -> JSONValue? {
      let (output, messages) = (folder[".studio/\(name).out"], folder[".studio/\(name).log"])
      guard
        let process = InstalledProgram.start(
          [program] + command, environment: Self.environment(token: token), output: output,
          messages: messages)
      else { throw Self.noProgram }
      var tail = MessageTail(path: messages, folder: folder)
      follow([], process)
      var code: Int32?
      while code == nil {
        try? await Task.sleep(for: .milliseconds(100))
        code = InstalledProgram.exitCode(of: process)
        follow(tail.newLines(), process)
      }
      follow([], nil)
      guard let code, accepted.contains(code) else {
        throw StudioProblem(tail.last ?? "\(command[0]) ended early; try again", .failed)
      }
      return (try? FileAccess.read(output)).flatMap { try? JSONReader.value(of: $0) }
    }

    /// `CUPOLA_STUDIO` makes commands report progress twice a second, and end when Studio has ended.
    ///
    /// - Parameter token: The token of a server. Commands do not get the token of Studio.
    static func environment(token: String? = nil) -> [String] {
      var variables = ProcessInfo.processInfo.environment
      variables["CUPOLA_STUDIO"] = "\(getpid())"
      variables["CUPOLA_TOKEN"] = token
      return variables.map { "\($0.key)=\($0.value)" }
    }

    // MARK: - Phones

    private func startPhone() throws -> Int {
      guard folder.exists(StudioFolder.model) else { throw Self.noModel }
      let token = Hex.text(UInt64.random(in: 0...UInt64.max))
      let command = [
        "serve", folder[StudioFolder.model], "--host", "0.0.0.0", "--port", "0",
      ]
      Task {
        guard jobs.phoneProcess == nil else { return }
        jobs.phone = nil
        do {
          _ = try await runChild(command, named: "phone", [0], token: token) { lines, process in
            jobs.phoneProcess = process
            for line in lines where jobs.phone == nil {
              let url = line.split(separator: " ").first { $0.hasPrefix("http://") }
              jobs.phone = url.map { ["url": "\($0)?token=\(token)"] }
            }
            if !lines.isEmpty || process == nil { noteChange() }
          }
          jobs.phone = nil
        } catch {
          jobs.phone = ["problem": folder.problem(error).message]
        }
        noteChange()
      }
      return 0
    }

    func stopPhone() {
      if let process = jobs.phoneProcess { InstalledProgram.signal(process, SIGTERM) }
    }
  }

  /// The lines that a program has added to its messages since they were last read.
  private struct MessageTail {
    let path: String
    let folder: StudioFolder
    private(set) var last: String?
    private var offset = 0

    init(path: String, folder: StudioFolder) { (self.path, self.folder) = (path, folder) }

    mutating func newLines() -> [Substring] {
      guard let size = try? FileAccess.size(of: path), size > offset,
        let bytes = try? FileAccess.read(path, bytes: offset..<size),
        let end = bytes.lastIndex(of: 0x0A)
      else { return [] }
      offset += end + 1
      let text = folder.message(String(decoding: bytes[..<end], as: UTF8.self))
      let lines = text.split(separator: "\n")
      last = lines.last { !$0.isEmpty }.map {
        $0.hasPrefix("cupola: ") ? String($0.dropFirst(8)) : String($0)
      }
      return lines
    }
  }
#endif
