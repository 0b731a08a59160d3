import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Evaluation history")
struct EvaluationHistoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ answers: [Evaluation.Answer], seconds: Int) throws -> EvaluationHistory {
    var history = try EvaluationHistory(folder: folder.path("runs"))
    history.add(
      ReportFixture.report(ReportFixture.evaluation(answers)),
      date: UTCDate(secondsSince1970: seconds), modelDigest: "00aa")
    try history.write()
    return history
  }

  @Test("Every run adds a row that can be read again")
  func rows() throws {
    #expect(try run(ReportFixture.answers, seconds: 0).runs.count == 1)
    let second = try run(Array(ReportFixture.answers.prefix(3)), seconds: 86_400)
    #expect(second.runs.map(\.date) == ["1970-01-01T00:00:00Z", "1970-01-02T00:00:00Z"])
    #expect(second.runs[0].figures["top1"] == 0.5 && second.runs[0].figures["photos"] == 4)
    #expect(second.runs[1].figures["auroc"] == nil)
    #expect(second.runs[0].dataDigest != second.runs[1].dataDigest)
    #expect(try EvaluationHistory(folder: folder.path("runs")).runs == second.runs)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("runs"))
    #expect(names == ["history.csv"])
  }

  @Test("Concurrent runs keep each other's rows")
  func overlapping() async throws {
    var first = try EvaluationHistory(folder: folder.path("runs"))
    _ = try run(ReportFixture.answers, seconds: 0)
    first.add(
      ReportFixture.report(ReportFixture.evaluation()),
      date: UTCDate(secondsSince1970: 1), modelDigest: "00aa")
    try first.write()
    #expect(first.runs.map(\.date) == ["1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seconds in 2..<10 {
        group.addTask { _ = try run(ReportFixture.answers, seconds: seconds) }
      }
      try await group.waitForAll()
    }
    let dates = try EvaluationHistory(folder: folder.path("runs")).runs.map(\.date)
    #expect(dates.sorted() == (0..<10).map { "1970-01-01T00:00:0\($0)Z" })
  }

  @Test("The data digest does not depend on photo order")
  func digest() throws {
    let first = try run(ReportFixture.answers, seconds: 0)
    let second = try run(ReportFixture.answers.reversed(), seconds: 1)
    #expect(second.runs[1].dataDigest == first.runs[0].dataDigest)
  }

  @Test(
    "A damaged or foreign history is rejected and kept",
    arguments: [
      "", "name,age\r\nx,1\r\n", "HEADER\r\n1970,aa,bb,many,,,,,,,,,,,\r\n",
      "HEADER\r\n1970,aa\r\n",
      "HEADER\r\n1970,aa,bb,4,0.5,0.5,,,,,,,,,0",
    ])
  func damaged(text: String) throws {
    let good = try run(ReportFixture.answers, seconds: 0).csv
    let header = try #require(good.split(separator: "\r\n").first)
    let bad = Array(text.replacing("HEADER", with: header).utf8)
    try folder.write(bad, to: "runs/history.csv")
    #expect {
      try EvaluationHistory(folder: folder.path("runs"))
    } throws: { error in
      guard case TrainingError.badTable(let path, _, _) = error else { return false }
      return path.hasSuffix("runs/history.csv")
    }
    #expect(try folder.bytes("runs/history.csv") == bad)
  }

  @Test("A count of any size is shown and written", arguments: ["1e300", "-1e300"])
  func largeCount(count: String) async throws {
    let good = try run(ReportFixture.answers, seconds: 0).csv
    let header = try #require(good.split(separator: "\r\n").first)
    let row = "1970,aa,bb,\(count)" + String(repeating: ",", count: 11)
    try folder.write("\(header)\r\n\(row)\r\n\(row)\r\n", to: "runs/history.csv")
    let history = try EvaluationHistory(folder: folder.path("runs"))
    let shown = count.hasPrefix("-") ? "\(Int.min)" : "\(Int.max)"
    #expect(history.csv.contains("aa,bb,\(shown),"))
    var page = ReportPage(
      ReportFixture.report(ReportFixture.evaluation()),
      of: Recognizer(model: ReportFixture.model()))
    page.history = history
    #expect(try await page.html().contains(shown))
  }

  @Test("The page shows the history from the second run on")
  func page() async throws {
    let report = ReportFixture.report(ReportFixture.evaluation())
    var page = ReportPage(report, of: Recognizer(model: ReportFixture.model()))
    page.history = try run(ReportFixture.answers, seconds: 0)
    #expect(!(try await page.html().contains("id=\"history\"")))
    page.history = try run(ReportFixture.answers, seconds: 1)
    let html = try await page.html()
    #expect(html.contains("<h2 id=\"history\">") && html.contains("The metrics of each run"))
    #expect(html.contains("1970-01-01T00:00:01Z") && !html.contains("used other photos"))
  }
}

@Suite("Dates")
struct UTCDateTests {
  @Test(
    "Dates match the Gregorian calendar",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (951_868_799, "2000-02-29T23:59:59Z"),
      (4_107_542_400, "2100-03-01T00:00:00Z"), (1_795_352_709, "2026-11-22T13:05:09Z"),
      (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    ])
  func stamps(seconds: Int, expected: String) throws {
    #expect(try #require(UTCDate(secondsSince1970: seconds)).stamp == expected)
  }

  @Test("Dates match Foundation from 1600 to 2400")
  func foundation() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let seconds = Int.random(in: -11_676_096_000...13_569_465_600, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(UTCDate(secondsSince1970: seconds)?.stamp == date.formatted(.iso8601), "\(seconds)")
    }
  }

  @Test("Only dates with four-digit years are valid")
  func limits() {
    #expect(UTCDate(secondsSince1970: .max) == nil && UTCDate(secondsSince1970: .min) == nil)
    #expect(UTCDate(secondsSince1970: 1_795_352_709)?.text == "2026-11-22 13:05 UTC")
  }
}
