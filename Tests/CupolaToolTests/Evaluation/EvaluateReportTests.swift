import Cupola
import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola evaluate --report, --compare, --require")
struct EvaluateReportTests {
  private let folder: TemporaryFolder

  init() async throws { folder = try await TinyCampus.folder() }

  private func evaluate(_ options: String...) throws -> Tool.Output {
    try Tool.run(["evaluate", "m.safetensors", "photos", "--quiet"] + options, in: folder)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.bytes(name), as: UTF8.self)
  }

  private func figures(_ data: Data) throws -> [String: Any] {
    var figures = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    figures["latency_ms"] = nil
    return figures
  }

  @Test("--report writes the page, JSON, text and tables")
  func report() throws {
    let output = try evaluate("--report", "out", "--json")
    expectSuccess(output)
    #expect(output.messages == ["report: out/report.html"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(
      names == [
        "confusion.csv", "coverage.csv", "errors.csv", "figures.csv", "findings.csv", "latency.csv",
        "learning_curve.csv", "parts.csv", "per_label.csv", "predictions.csv", "reliability.csv",
        "report.html", "report.json", "report.txt", "risk_coverage.csv", "roc.csv", "shots.csv",
        "slices.csv", "verdicts.csv", "visit_risk_coverage.csv", "visits.csv",
      ])
    var written = try figures(Data(try folder.bytes("out/report.json")))
    #expect((written["predictions"] as? [Any])?.count == 8)
    written["predictions"] = nil
    let printed = try figures(Data(output.stdout.utf8))
    #expect(NSDictionary(dictionary: written) == NSDictionary(dictionary: printed))
    #expect((printed["learning_curve"] as? [Any])?.isEmpty == false)
    #expect(try text("out/report.html").contains("cell-1-1"))
    let plain = try evaluate("--report", "out", "--no-refits", "--verbose")
    #expect(try text("out/report.txt") == plain.stdout)
    #expect(!(try text("out/report.json").contains("learning_curve")))
    #expect(!(try text("out/report.json").contains("cupola.check")))
    #expect(!(try text("out/report.html").contains("id=\"photos\"")))
  }

  @Test("--unknown-visits without effect is noted")
  func unknownVisits() throws {
    let arguments = ["evaluate", "m.safetensors", "new", "-q", "--allow-leaks"]
    let note = "note: --unknown-visits has no effect"
    for (label, isTold) in [("arch", true), ("tower", false)] {
      try folder.write(try TinyCampus.jpeg(.arch, seed: 70), to: "new/\(label)/1.jpg")
      let output = try Tool.run(arguments + ["--unknown-visits", "0.5"], in: folder)
      expectSuccess(output)
      #expect(output.stderr.contains(note) == isTold, "\(label)")
    }
  }

  @Test("Report options without --report are rejected")
  func refitOptions() throws {
    for options in [["--no-refits"], ["--cache", "c"], ["--no-cache"]] {
      for more in [[], ["--history", "runs"]] {
        expectUsageError(
          try Tool.run(["evaluate", "m.safetensors", "photos"] + options + more, in: folder),
          "require --report")
      }
    }
    expectUsageError(
      try evaluate("--report", "out", "--no-refits", "--cache", "c"), "not both")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test("The report contains the findings of cupola check")
  func check() throws {
    try folder.write("no photo", to: "photos/arch/1.jpg")
    let output = try evaluate("--report", "out", "--verbose")
    #expect(output.stdout.contains("  warning  1 file not in JPEG"))
    let report = try figures(Data(try folder.bytes("out/report.json")))
    var check = try #require(report["check"] as? [String: Any])
    #expect(check["folder"] as? String == "photos")
    let printed = try Tool.run(["check", "photos", "--json", "-q"], in: folder)
    var alone = try #require(
      try JSONSerialization.jsonObject(with: Data(printed.stdout.utf8)) as? [String: Any])
    // Findings about places differ, because the model has a map.
    for key in ["coverage", "findings"] { (check[key], alone[key]) = (nil, nil) }
    #expect(NSDictionary(dictionary: check) == NSDictionary(dictionary: alone))
    let page = try text("out/report.html")
    #expect(page.contains("id=\"photos\"") && page.contains("arch/1.jpg"))
    #expect(try text("out/findings.csv").contains("warning,not_jpeg,"))
  }

  @Test("Missing backgrounds are reported only if none were trained")
  func backgrounds() throws {
    for number in 1...4 {
      for kind in [TinyCampus.Kind.arch, .barn] {
        let name = "\(kind.label)/\(number).jpg"
        try folder.write(try TinyCampus.jpeg(kind, seed: UInt64(number)), to: "two/\(name)")
        try folder.write(try TinyCampus.jpeg(kind, seed: UInt64(90 + number)), to: "walk/\(name)")
      }
    }
    expectSuccess(
      try Tool.run(
        ["train", "two", "-o", "two.safetensors", "--features", "hog", "-q"],
        in: folder))
    for (model, isMissed) in [("m.safetensors", false), ("two.safetensors", true)] {
      let output = try Tool.run(
        ["evaluate", model, "walk", "-q", "--verbose", "--allow-leaks", "--report", "out"],
        in: folder)
      expectSuccess(output)
      #expect(output.stdout.contains("photos: 8 of 8 usable"))
      #expect(output.stdout.contains("no non-building photos") == isMissed)
    }
  }

  @Test("Repeated runs yield equal tables and predictions")
  func reproducible() throws {
    for name in ["a", "b"] {
      let threads = name == "a" ? "1" : "3"
      expectSuccess(try evaluate("--report", name, "--threads", threads, "--no-cache"))
    }
    for table in ["predictions.csv", "confusion.csv", "learning_curve.csv", "roc.csv"] {
      #expect(try text("a/" + table) == text("b/" + table))
    }
  }

  @Test("--compare prints both models and the test by session")
  func compare() throws {
    expectSuccess(try evaluate("--report", "out", "--no-refits"))
    let output = try evaluate("--compare", "out/report.json", "--report", "new", "--no-refits")
    expectSuccess(output)
    #expect(output.stdout.contains("compared on 6 photos"))
    #expect(output.stdout.contains("permutation test by session: p = 1.0000"))
    #expect(try text("new/report.html").contains("id=\"compare\""))
    let json = try figures(Data(try evaluate("--compare", "out/report.json", "--json").stdout.utf8))
    let comparison = try #require(json["comparison"] as? [String: Any])
    #expect((json["comparisons"] as? [Any])?.count == 1)
    #expect(comparison["photos"] as? Int == 6 && comparison["other"] as? String == "m.safetensors")
  }

  @Test("--compare accepts several models")
  func compareSeveral() throws {
    for name in ["a", "b"] { expectSuccess(try evaluate("--report", name, "--no-refits")) }
    let output = try evaluate(
      "--compare", "a/report.json", "--compare", "b/report.json", "--report", "new", "--no-refits",
      "--json")
    expectSuccess(output)
    let json = try figures(Data(output.stdout.utf8))
    #expect((json["comparisons"] as? [[String: Any]])?.count == 2 && json["comparison"] == nil)
    #expect(try text("new/report.html").contains("Compared with other models"))
    #expect(try text("new/figures.csv").contains(",other,other_2"))
    let told = try text("new/report.txt").components(separatedBy: "compared on 6 photos").count - 1
    #expect(told == 2)
  }

  @Test("--compare refuses a report about other photos")
  func differentPhotos() throws {
    expectSuccess(try evaluate("--report", "out", "--no-refits"))
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    let output = try evaluate("--compare", "out/report.json", "--allow-leaks")
    expectFailure(output, 65, "out/report.json", "6 of its", "among the 18", "the same photos")
  }

  @Test("The page states date, command and digest as text")
  func origin() throws {
    let output = try Tool.run(
      [
        "evaluate", "m.safetensors", "photos", "--quiet", "--no-refits", "--report",
        "a <b>'s report",
      ], in: folder, environment: ["SOURCE_DATE_EPOCH": "1795352709"])
    expectSuccess(output)
    let page = try text("a <b>'s report/report.html")
    #expect(page.contains("2026-11-22 13:05 UTC"))
    #expect(
      page.contains(
        "cupola evaluate m.safetensors photos --quiet --no-refits --report &#39;a &lt;b&gt;"))
    let digest = SHA256.hexadecimal(of: try folder.bytes("m.safetensors"))
    #expect(page.contains(digest))
    #expect(!(try text("a <b>'s report/report.json").contains("2026-11-22")))
  }

  @Test("--history adds a row per run and rejects other files")
  func history() throws {
    let epoch = ["SOURCE_DATE_EPOCH": "1795352709"]
    let arguments = ["evaluate", "m.safetensors", "photos", "-q", "--history", "runs"]
    for rows in 1...2 {
      expectSuccess(try Tool.run(arguments, in: folder, environment: epoch))
      let lines = try text("runs/history.csv").split(separator: "\r\n")
      #expect(lines.count == rows + 1 && lines[rows].hasPrefix("2026-11-22T13:05:09Z,"))
    }
    try folder.write("notes", to: "runs/history.csv")
    expectFailure(
      try Tool.run(arguments, in: folder), 65, "runs/history.csv:1: ", "--history")
    #expect(try text("runs/history.csv") == "notes")
  }

  @Test("Unreadable photos do not replace a report")
  func noneUsable() throws {
    expectSuccess(try evaluate("--report", "out", "--no-refits"))
    let report = try folder.bytes("out/report.json")
    try folder.write("text", to: "broken/arch/1.jpg")
    let output = try Tool.run(
      ["evaluate", "m.safetensors", "broken", "-q", "--report", "out", "--no-refits"], in: folder)
    #expect(output.status == 65 && output.messages.count == 2, "\(output.stderr)")
    #expect(try folder.bytes("out/report.json") == report)
  }

  @Test("An invalid report to compare is reported", arguments: ["{}", "not JSON", "[1,2]"])
  func badReport(text: String) throws {
    try folder.write(text, to: "other.json")
    expectFailure(try evaluate("--compare", "other.json"), 65, "other.json", "--report")
  }

  @Test("A missing report to compare is reported")
  func missingReport() throws { expectFailure(try evaluate("--compare", "no.json"), 66, "no.json") }

  @Test("--require exits with 2 and lists failed figures")
  func require() throws {
    expectSuccess(try evaluate("--require", "top1=1", "--require", "ece<=1"))
    let output = try evaluate(
      "--require", "top1=1", "--require", "top1<=0.5", "--require", "macro_f1<=0.5")
    #expect(output.status == 2)
    #expect(output.messages.count == 2)
    #expect(
      output.messages.first?.hasPrefix("cupola: top1 must be at most 0.5, but it is ") == true)
    #expect(output.stdout.contains("your buildings"))
    try folder.write("text", to: "photos/arch/5.jpg")
    #expect(try evaluate("--require", "macro_f1<=0.5").status == 2)
  }

  @Test(
    "An unknown requirement is rejected with all names",
    arguments: ["top1", "speed=1"])
  func badRequirement(text: String) throws {
    let output = try evaluate("--require", text)
    expectUsageError(output, text)
    #expect(output.stderr.contains("macro_f1"))
  }

  @Test(
    "An impossible requirement is rejected",
    arguments: ["top1=95", "top1=95%", "ece=95", "top1=x", "left_out_named=-1"])
  func impossibleRequirement(text: String) throws {
    let output = try evaluate("--require", text)
    expectUsageError(output, "--require \(text): ")
    #expect(output.stderr.contains("is a number from 0 to 1; write 0.95 for 95%"))
  }

  @Test("Hostile names of labels and files stay text")
  func hostile() throws {
    let name = "\"><script>alert(1)<\u{301}.jpg"
    let label = "<img src=x onerror=alert(1)>"
    try folder.write(
      try TinyCampus.jpeg(.arch, seed: 9), to: "evil/\(label)/\(name.replacing("/", with: "_"))")
    try folder.write(
      try TinyCampus.jpeg(.arch, seed: 8), to: "evil/arch/\(name.replacing("/", with: "_"))")
    let output = try Tool.run(
      ["evaluate", "m.safetensors", "evil", "-q", "--report", "out"], in: folder)
    expectSuccess(output)
    let page = try text("out/report.html")
    #expect(!page.contains("<script>alert") && !page.contains("<img src=x"))
    #expect(page.contains("&lt;script&gt;") && page.contains("&lt;img src=x"))
  }
}

@Suite("cupola evaluate with shards")
struct EvaluateShardsTests {
  private let folder: TemporaryFolder

  init() async throws { folder = try await TinyCampus.folder() }

  private func evaluate(_ options: String...) throws -> Tool.Output {
    try Tool.run(["evaluate", "m.safetensors"] + options + ["-q"], in: folder)
  }

  private func figures(_ output: Tool.Output) throws -> NSDictionary {
    var object = try #require(
      try JSONSerialization.jsonObject(with: Data(output.stdout.utf8)) as? [String: Any])
    object["latency_ms"] = nil
    return object as NSDictionary
  }

  @Test("Shards yield the figures of a single run")
  func shards() throws {
    let wanted = try evaluate("photos", "--json")
    expectSuccess(wanted)
    for shard in ["2/3", "3/3", "1/3"] {
      let output = try evaluate("photos", "--shard", shard, "-o", "deep/predictions")
      expectSuccess(output)
      #expect(
        output.stdout.hasPrefix(
          "shard deep/predictions/shard-\(shard.prefix(1))-of-3.safetensors, "))
    }
    for photos: [String] in [[], ["photos"]] {
      let output = try Tool.run(
        ["evaluate", "m.safetensors"] + photos
          + ["--predictions", "deep/predictions", "--json", "-q"], in: folder)
      expectSuccess(output)
      #expect(try figures(output) == figures(wanted))
    }
    try FileManager.default.removeItem(
      atPath: folder.path("deep/predictions/shard-2-of-3.safetensors"))
    expectFailure(
      try evaluate("--predictions", "deep/predictions"), 65, "shard 2 of 3 is missing",
      "cupola evaluate with --shard 2/3")
  }

  @Test("Shards may use other tables and print a JSON summary")
  func tables() throws {
    let lines = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self).split(
      separator: "\n")
    let tests = lines.dropFirst().filter { $0.contains(",test") }
    for (number, part) in [tests.prefix(3), tests.dropFirst(3)].enumerated() {
      try folder.write(([lines[0]] + part).joined(separator: "\n"), to: "part\(number).csv")
      let output = try evaluate(
        "photos", "--split", "part\(number).csv", "--name", "part\(number)", "-o", "p", "--json")
      expectSuccess(output)
      let summary = try #require(try output.json() as? [String: Any])
      #expect(summary["schema"] as? String == "cupola.shard/1")
      #expect(summary["shard"] as? String == "p/part\(number).safetensors")
      #expect(summary["photos"] as? Int == part.count)
    }
    expectSuccess(try evaluate("--predictions", "p", "--report", "report"))
    let page = String(decoding: try folder.bytes("report/report.html"), as: UTF8.self)
    #expect(page.contains("<html"))
  }

  @Test("Misplaced photos are reported when a shard is written")
  func leftOut() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    try folder.write(try TinyCampus.jpeg(.arch, seed: 70), to: "photos/stray.jpg")
    try expectStray(try evaluate("photos", "-o", "p", "--json"))
  }

  @Test("Shard reports have photos only if the folder is named")
  func pictures() throws {
    expectSuccess(try evaluate("photos", "-o", "p"))
    // The places that shard names would refer to if they were paths.
    for label in TinyCampus.Kind.allCases.map(\.label) {
      try FileManager.default.copyItem(
        atPath: folder.path("photos/" + label), toPath: folder.path(label))
    }
    for photos: [String] in [[], ["photos"]] {
      let output = try Tool.run(
        ["evaluate", "m.safetensors"] + photos
          + ["--predictions", "p", "--report", "r", "--no-refits", "-q"], in: folder)
      expectSuccess(output)
      #expect(output.stderr.contains(", without images; give PHOTOS") == photos.isEmpty)
      let page = String(decoding: try folder.bytes("r/report.html"), as: UTF8.self)
      #expect(page.contains("data:image/jpeg") == !photos.isEmpty)
    }
  }

  @Test("Conflicting options are usage errors")
  func usage() throws {
    for options: [String] in [
      [], ["photos", "--shard", "1/2"], ["photos", "-o", "p", "--report", "r"],
      ["photos", "-o", "p", "--predictions", "q"], ["photos", "-o", "p", "--shard", "3/2"],
      ["photos", "-o", "p", "--shard", "1/2", "--name", "x"],
      ["--predictions", "p", "--part", "train"], ["--predictions", "p", "--negatives", "photos"],
      ["--predictions", "p", "--split", "no.csv"], ["--sequences", "s", "--split", "no.csv"],
      ["--sequences", "s", "--part", "val"], ["photos", "-o", "p", "--no-place"],
      ["photos", "-o", "p", "--max-error", "0.01"], ["photos", "-o", "p", "--allow-leaks"],
      ["photos", "-o", "p", "--unknown-visits", "0.5"],
      ["--sequences", "s", "--unknown-visits", "0.5"], ["--sequences", "s", "--shard", "1/2"],
      ["--sequences", "s", "--name", "x"], ["--sequences", "s", "--allow-leaks"],
      ["--sequences", "s", "--cache", "c"], ["--sequences", "s", "--no-cache"],
      ["--sequences", "s", "--no-refits"], ["--sequences", "s", "--allow-outside"],
      ["--sequences", "s", "--threads", "2"], ["--sequences", "s", "-v"],
      ["photos", "-o", "p", "-v"], ["photos", "-o", "p", "--no-refits"],
      ["photos", "-o", "p", "--cache", "c"], ["photos", "-o", "p", "--no-cache"],
    ] {
      let output = try Tool.run(["evaluate", "m.safetensors"] + options, in: folder)
      #expect(output.status == 64, "\(options)")
    }
    expectUsageError(
      try Tool.run(["evaluate", "m.safetensors", "--sequences", "s", "--matrix"], in: folder),
      "--threads, --matrix, --verbose, --plot, or")
    for option in [["--allow-outside"], ["--lenient"], ["--cache", "c", "--report", "r"]] {
      expectUsageError(
        try Tool.run(["evaluate", "m.safetensors", "--predictions", "p"] + option, in: folder),
        "require PHOTOS")
    }
  }
}
