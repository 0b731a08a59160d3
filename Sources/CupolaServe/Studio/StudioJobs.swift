#if Serve
  internal import CupolaCampus
  internal import CupolaGuide
  internal import CupolaTraining

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  // 1. Follow the progress lines of a job.
  // 2. Keep a record of each training, with its figures, its mistakes and what changed.

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
          "done": done, "of": of, "secondsLeft": secondsLeft, "lines": lines, "message": message,
          "result": result,
        ]
      }

      private static let mostLines = 20

      /// Reads a line such as `computing features: 12 of 800, 40 s left`.
      mutating func read(_ line: Substring) {
        let parts = line.split(separator: ": ", maxSplits: 1)
        let words = parts.last?.split { $0 == " " || $0 == "," } ?? []
        guard parts.count == 2, !["note", "warning"].contains(parts[0]), words.count > 2,
          words[1] == "of", let done = Int(words[0]),
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
    /// The address of the server for phones or the reason why it ended, and its process.
    var phone: JSONObject?
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
      var labels: [String: JSONValue] = [:]
      if case .object(let all) = kept["labels"] {
        labels = all.filter { !Trainer.ownLabels.contains($0.key) }
      }
      let counts = JSONValue.object(labels)
      let run = JSONValue.object([
        "id": .integer((lastRun?["id"]?.integer ?? 0) + 1),
        "time": .number(LocalTime.secondsSince1970Now.rounded()),
        "photos": .integer(labels.values.reduce(0) { $0 + ($1.integer ?? 0) }), "counts": counts,
        "labels": .integer(Self.names(counts).filter { !$0.hasPrefix("_") }.count),
        "figures": .object(kept),
        "changed": .array(Self.changes(from: lastRun?["counts"], to: counts).map { .string($0) }),
      ])
      let path = folder[StudioFolder.runs] + "/\(run["id"]?.integer ?? 0).json"
      try FileAccess.write(JSONWriter.bytes(of: run) + [0x0A], to: path)
      runs = Array(([run] + runs).prefix(Self.mostRuns))
    }

    /// The figures of a report that the page shows.
    private static let measured = ["top1", "verdicts", "left_out_named"]
    private static let mostMistakes = 60

    /// Adds the figures and the mistakes of a report to the newest run.
    mutating func measure(_ report: JSONValue, in folder: StudioFolder) throws {
      guard case .object(var run) = lastRun, case .object(var figures) = run["figures"] else {
        return
      }
      for name in Self.measured { figures[name] = report[name] ?? figures[name] }
      figures["unknown_named"] = report["rejection"]?["unknown_named"]
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
      let isNamed = ["building", "mapped_building"].contains(row["verdict"]?.text)
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
#endif
