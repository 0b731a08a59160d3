#if Serve
  internal import CupolaCampus
  internal import CupolaGuide
  internal import CupolaTraining
  internal import Foundation

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  // 1. Run one command at a time as a child process, so that a crash or a cancellation changes nothing.
  // 2. Follow its progress lines.
  // 3. Keep the result: findings, or a new model with a record of the run.

  /// The job of a project, its earlier runs, and the server for phones.
  struct StudioJobs: Sendable {
    struct Job: Sendable {
      enum State: String { case running, done, failed, canceled }

      let id: Int
      let kind: String
      var format: String?
      var state = State.running
      var stage = ""
      var done: Int?
      var of: Int?
      var secondsLeft: Int?
      var lines: [String] = []
      var message: String?
      var result: JSONValue?
      var process: Int32?

      var json: JSONObject {
        [
          "id": id, "kind": kind, "format": format, "state": state.rawValue, "stage": stage,
          "done": done, "of": of,
          "secondsLeft": secondsLeft, "lines": lines, "message": message, "result": result,
        ]
      }

      private static let mostLines = 20

      /// Reads a line such as `step 2 of 5, computing features: 12 of 800, 40 s left`.
      mutating func read(_ line: Substring) {
        let parts = line.split(separator: ": ", maxSplits: 1)
        let words = parts.last?.split { $0 == " " || $0 == "," } ?? []
        guard parts.count == 2, words.count > 2, words[1] == "of", let done = Int(words[0]),
          let of = Int(words[2])
        else {
          lines = Array((lines + [String(line)]).suffix(Self.mostLines))
          return
        }
        (stage, self.done, self.of) = (String(parts[0]), done, of)
        let time = words.dropFirst(3).compactMap { Int($0) }
        secondsLeft = time.isEmpty ? nil : time.reduce(0) { 60 * $0 + $1 }
      }
    }

    private(set) var last: Job?
    /// The address of the server for phones, and its process.
    var phone: String?
    var phoneProcess: Int32?
    /// The records of earlier trainings, the newest first.
    private(set) var runs: [JSONValue] = []
    private var nextID = 1

    var json: JSONObject? { last?.json }
    var isRunning: Bool { last?.state == .running }
    var lastRun: JSONValue? { runs.first }

    mutating func begin(_ kind: String) -> Int {
      defer { nextID += 1 }
      last = Job(id: nextID, kind: kind)
      return nextID
    }

    mutating func update(_ change: (inout Job) -> Void) {
      if var job = last {
        change(&job)
        last = job
      }
    }

    mutating func endAll() {
      for process in [last?.process, phoneProcess] {
        if let process { InstalledProgram.signal(process, SIGKILL) }
      }
    }

    // MARK: - Runs

    private static let mostRuns = 100

    mutating func readRuns(_ folder: StudioFolder) throws {
      runs = try Directory.entries(of: folder[StudioFolder.runs]).compactMap { entry in
        let path = folder[StudioFolder.runs] + "/" + entry.name
        return (try? FileAccess.read(path)).flatMap { try? JSONReader.value(of: $0) }
      }.sorted { $0["id"]?.integer ?? 0 > $1["id"]?.integer ?? 0 }
    }

    /// Records a training with its figures and what changed since the previous one.
    mutating func record(_ figures: JSONValue, in folder: StudioFolder) throws {
      guard case .object(var kept) = figures else { return }
      kept["cross_validation"] = nil
      let counts = kept["labels"] ?? .object([:])
      let run = JSONValue.object([
        "id": .integer((lastRun?["id"]?.integer ?? 0) + 1),
        "time": .number(LocalTime.secondsSince1970Now.rounded()),
        "photos": kept["photos"] ?? .null, "counts": counts,
        "labels": .integer(Self.names(counts).filter { !$0.hasPrefix("_") }.count),
        "figures": .object(kept),
        "changed": .array(Self.changes(from: lastRun?["counts"], to: counts).map { .string($0) }),
      ])
      let path = folder[StudioFolder.runs] + "/\(run["id"]?.integer ?? 0).json"
      try FileAccess.write(JSONWriter.bytes(of: run) + [0x0A], to: path)
      runs = Array(([run] + runs).prefix(Self.mostRuns))
    }

    private static let measured = [
      "top1", "top1_interval", "top3", "macro_f1", "least_recall", "rejection", "visits",
      "verdicts",
      "left_out_named",
    ]
    private static let mostMistakes = 60

    /// Adds the figures and the mistakes of a report to the newest run.
    mutating func measure(_ report: JSONValue, in folder: StudioFolder) throws {
      guard case .object(var run) = lastRun, case .object(var figures) = run["figures"] else {
        return
      }
      for name in Self.measured { figures[name] = report[name] ?? figures[name] }
      figures["test_photos"] = report["photos"]
      run["figures"] = .object(figures)
      // Wrong names come first, then photos of buildings that were not named.
      let all = (report["predictions"]?.elements ?? []).compactMap { Self.mistake($0, in: folder) }
      let sorted = all.filter { $0["answer"] != nil } + all.filter { $0["answer"] == nil }
      run["mistakes"] = .array(Array(sorted.prefix(Self.mostMistakes)))
      try FileAccess.write(
        JSONWriter.bytes(of: .object(run)) + [0x0A],
        to: folder[StudioFolder.runs] + "/\(run["id"]?.integer ?? 0).json")
      runs[0] = .object(run)
    }

    private static func mistake(_ row: JSONValue, in folder: StudioFolder) -> JSONValue? {
      let isNamed =
        row["verdict"]?.text?.hasSuffix("building") == true
        && row["verdict"]?.text != "not_a_campus_building"
      let answer = isNamed ? row["fused_answer"] ?? row["answer"] : nil
      let isBuilding = row["kind"]?.text == "building"
      guard isBuilding ? answer != row["label"] : answer != nil else { return nil }
      var mistake: [String: JSONValue] = [
        "photo": .string(StudioFindings.path(row["photo"]?.text ?? "", in: folder))
      ]
      mistake["label"] = row["label"]
      mistake["answer"] = answer
      mistake["verdict"] = row["verdict"]
      mistake["probability"] = row["fused_probability"] ?? row["image_probability"]
      return .object(mistake)
    }

    private static func names(_ counts: JSONValue?) -> [String] {
      if case .object(let members) = counts { members.keys.sorted() } else { [] }
    }

    static func changes(from old: JSONValue?, to new: JSONValue) -> [String] {
      guard let old else { return [] }
      return Set(names(old) + names(new)).sorted().compactMap { label in
        let (before, after) = (old[label]?.integer ?? 0, new[label]?.integer ?? 0)
        let photos = FigureText.count(abs(after - before), "photo")
        if before == after { return nil }
        if before == 0 { return "\(label) is new, with \(photos)" }
        if after == 0 { return "\(label) was removed" }
        return after > before ? "\(photos) added to \(label)" : "\(photos) removed from \(label)"
      }
    }
  }

  extension StudioProject {
    /// Starts a job, and returns its number.
    func start(_ request: JSONValue) throws -> Int {
      let kind = request["kind"]?.text ?? ""
      if kind == "phone" { return try startPhone() }
      guard !jobs.isRunning else {
        throw StudioProblem("another job is running; wait for it, or cancel it", .conflict)
      }
      try check(kind, request)
      let id = jobs.begin(kind)
      jobs.update { $0.format = request["format"]?.text }
      noteChange()
      Task {
        do {
          let result = try await perform(kind, request)
          jobs.update { ($0.state, $0.result, $0.process) = (.done, result, nil) }
        } catch {
          let message = (error as? StudioProblem)?.message ?? "\(error)"
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

    private func check(_ kind: String, _ request: JSONValue) throws {
      switch kind {
      case "check", "evaluate": return
      case "train": _ = try trainingOptions(request["options"])
      case "export":
        guard StudioShipping.formats.contains(request["format"]?.text ?? "") else {
          throw StudioProblem(
            "format must be one of \(StudioShipping.formats.joined(separator: ", "))")
        }
        guard folder.exists(StudioFolder.model) else { throw Self.noModel }
      default: throw StudioProblem("kind must be check, train, evaluate, export or phone")
      }
    }

    private func perform(_ kind: String, _ request: JSONValue) async throws -> JSONValue? {
      switch kind {
      case "check": try await checkPhotos()
      case "train": try await train(try trainingOptions(request["options"]))
      case "evaluate": try await evaluate(isFull: request["full"] == .boolean(true))
      default:
        try await export(
          request["format"]?.text ?? "", isHalf: request["half"] == .boolean(true))
      }
    }

    static var noModel: StudioProblem {
      StudioProblem("there is no model yet; train one first", .conflict)
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

    private func train(_ options: [String]) async throws -> JSONValue? {
      let new = folder[StudioFolder.incoming] + "/model.safetensors"
      let figures = try await run(
        ["train", folder["photos"], "-o", new, "--json"] + options + campus + negatives)
      try Directory.rename(new, to: folder[StudioFolder.model])
      if let figures { try jobs.record(figures, in: folder) }
      return jobs.lastRun?["figures"]
    }

    private func trainingOptions(_ options: JSONValue?) throws -> [String] {
      guard let preset = options?["preset"]?.text else { return [] }
      guard ["fast", "balanced", "best"].contains(preset) else {
        throw StudioProblem("preset must be fast, balanced or best")
      }
      return ["--preset", preset]
    }

    /// Measures a model that was trained like the project's model, but without a fifth of the photos.
    private func evaluate(isFull: Bool) async throws -> JSONValue? {
      let photos = folder["photos"]
      var (model, split) = (folder[StudioFolder.model], [String]())
      if folder.exists("photos/split.csv") {
        guard folder.exists(StudioFolder.model) else { throw Self.noModel }
      } else {
        let work = folder[".studio/measure"]
        try Directory.createAll(work)
        split = ["--split", work + "/split.csv"]
        model = work + "/model.safetensors"
        try await run(["split", photos, "-o", work + "/split.csv", "--force"])
        try await run(["train", photos, "-o", model, "--json"] + split + campus + negatives)
      }
      let report = folder[StudioFolder.report]
      try Directory.createAll(report)
      try await run(
        ["evaluate", model, photos, "--report", report, "--json"]
          + (isFull ? [] : ["--no-refits"]) + split + negatives)
      let bytes = try FileAccess.read(report + "/report.json")
      if let value = try? JSONReader.value(of: bytes) { try jobs.measure(value, in: folder) }
      return .object(["report": .string("/api/report")])
    }

    private func export(_ format: String, isHalf: Bool) async throws -> JSONValue? {
      try Directory.createAll(folder["exports"])
      try await run(
        [
          "export", folder[StudioFolder.model], "--format", format, "-o",
          folder["exports/\(format)"],
        ]
          + (isHalf ? ["--weights", "float16"] : []))
      return .object(["format": .string(format)])
    }

    private var campus: [String] {
      folder.exists(StudioFolder.map) ? ["--campus", folder[StudioFolder.map]] : []
    }

    private var negatives: [String] {
      index.sorted.contains { $0.shelf == .negatives } ? ["--negatives", folder["negatives"]] : []
    }

    // MARK: - Processes

    /// Runs a command of this program as part of the current job, and returns its JSON output.
    @discardableResult
    private func run(_ command: [String], _ accepted: Set<Int32> = [0]) async throws -> JSONValue? {
      let id = jobs.last?.id
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
    /// - Parameter follow: Receives new lines of its messages, and the process while it runs.
    func runChild(
      _ command: [String], named name: String, _ accepted: Set<Int32>,
      follow: ([Substring], Int32?) -> Void
    ) async throws -> JSONValue? {
      let (output, messages) = (folder[".studio/\(name).out"], folder[".studio/\(name).log"])
      guard
        let process = InstalledProgram.start(
          [program] + command, environment: Self.environment, output: output, messages: messages)
      else { throw StudioProblem("\(program): cannot be started; install Cupola again", .failed) }
      var tail = MessageTail(path: messages, folder: folder.path)
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
    static var environment: [String] {
      ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" } + [
        "CUPOLA_STUDIO=\(getpid())"
      ]
    }

    // MARK: - Phones

    private func startPhone() throws -> Int {
      guard folder.exists(StudioFolder.model) else { throw Self.noModel }
      guard jobs.phoneProcess == nil else { return 0 }
      let token = Hex.text(UInt64.random(in: 0...UInt64.max))
      let messages = folder[".studio/phone.log"]
      let command = [
        program, "serve", folder[StudioFolder.model], "--host", "0.0.0.0", "--port", "0",
      ]
      guard
        let process = InstalledProgram.start(
          command, environment: Self.environment + ["CUPOLA_TOKEN=\(token)"], messages: messages)
      else { throw StudioProblem("\(program): cannot be started; install Cupola again", .failed) }
      jobs.phoneProcess = process
      Task {
        var tail = MessageTail(path: messages, folder: folder.path)
        while InstalledProgram.exitCode(of: process) == nil {
          for line in tail.newLines() where jobs.phone == nil {
            let url = line.split(separator: " ").first { $0.hasPrefix("http://") }
            jobs.phone = url.map { "\($0)?token=\(token)" }
            noteChange()
          }
          try? await Task.sleep(for: .milliseconds(200))
        }
        (jobs.phone, jobs.phoneProcess) = (nil, nil)
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
    /// Removed from the lines, so that they name files as the page does.
    let folder: String
    private(set) var last: String?
    private var offset = 0

    init(path: String, folder: String) { (self.path, self.folder) = (path, folder) }

    mutating func newLines() -> [Substring] {
      guard let size = try? FileAccess.size(of: path), size > offset,
        let bytes = try? FileAccess.read(path, bytes: offset..<size),
        let end = bytes.lastIndex(of: 0x0A)
      else { return [] }
      offset += end + 1
      let text = String(decoding: bytes[..<end], as: UTF8.self).replacing(folder + "/", with: "")
      let lines = text.split(separator: "\n")
      last = lines.last { !$0.isEmpty }.map {
        $0.hasPrefix("cupola: ") ? String($0.dropFirst(8)) : String($0)
      }
      return lines
    }
  }
#endif
