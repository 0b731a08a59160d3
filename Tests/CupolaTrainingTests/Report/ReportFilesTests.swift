import CupolaCampus
import CupolaSupport
import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Report files")
struct ReportFilesTests {
  @Test("report.json has one line per photo, with sorted keys")
  func json() throws {
    let evaluation = ReportFixture.evaluation()
    let bytes = try ReportFixture.report(evaluation).bytes()
    let text = String(decoding: bytes, as: UTF8.self)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let predictions = try #require(json["predictions"] as? [[String: Any]])
    #expect(predictions.count == 7)
    #expect(
      predictions.compactMap { $0["kind"] as? String }.filter { $0 == "background" }.count == 2)
    let second = predictions[1]
    #expect(second["answer"] as? String == "tower" && second["label"] as? String == "chapel")
    #expect(second["image"] as? [Double] == [0.4, 0.6] && second["fused"] == nil)
    #expect((second["attributes"] as? [String: String])?["light"] == "rain")
    let keys = text.split(separator: "\n").compactMap { line in
      line.hasPrefix("  \"") ? line.dropFirst(3).prefix { $0 != "\"" } : nil
    }
    #expect(keys == keys.sorted() && keys.contains("predictions"))
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("    {\"answer\"") }.count == 7)
  }

  @Test("The table of answers is the same when written row by row")
  func rowByRow() throws {
    let report = ReportFixture.report(ReportFixture.evaluation())
    var bytes: [UInt8] = []
    try Table.writeCSV(of: report.predictions, Prediction.columns) { bytes += $0 }
    #expect(bytes == Array(Table(report.predictions, Prediction.columns).csv.utf8))
    #expect(bytes.count { $0 == 0x0A } == 8)
  }

  @Test("Tables can be read again with any names")
  func tables() throws {
    let names = ["a,b", "say \"hi\"", "two\nlines", " blank ", "ü\r\nx", "=1+1"]
    let written = Table(names, [.text("name") { $0 }, .count("n") { _ in 1 }])
    let table = try CSV(Array(written.csv.utf8))
    #expect(table.rows.map { $0[0] } == names.dropLast() + ["'=1+1"])
    let report = ReportFixture.report(ReportFixture.evaluation())
    for (name, make) in EvaluationReport.tables {
      let table = make(report)
      let read = try CSV(Array(table.csv.utf8))
      #expect(Set(read.header).count == read.header.count, "\(name)")
      #expect(read.rows.count == table.rows.count)
    }
    let read = try ReportFixture.csv("predictions", of: report)
    #expect(read.rows.count == 7 && read.column("light") != nil)
  }

  @Test(
    "Cells are not formulas, and numbers stay numbers",
    arguments: [
      ("=1+1", "\"'=1+1\""), ("+1+cmd", "\"'+1+cmd\""), ("-a.jpg", "\"'-a.jpg\""),
      ("@SUM(1)", "\"'@SUM(1)\""), ("\t=1", "\"'\t=1\""), ("\r=1", "\"'\r=1\""),
      ("=\"x\"", "\"'=\"\"x\"\"\""), ("＝1", "\"'＝1\""), ("-1.5", "-1.5"), ("+2e-3", "+2e-3"),
      ("-1.5 2.0 -3", "-1.5 2.0 -3"), ("a=1", "a=1"), ("'a", "'a"), ("", ""),
    ])
  func formulas(text: String, cell: String) {
    let table = Table([text], [.text(text, text) { $0 }])
    #expect(table.csv == "\(cell)\r\n\(cell)\r\n")
    let numbers = Table([-1.5], [.decimal("n", digits: 1) { $0 }])
    #expect(numbers.csv == "n\r\n-1.5\r\n")
  }

  @Test(
    "A required figure is compared in its own direction",
    arguments: [
      ("top1=0.5", nil), ("top1=0.51", "top1 must be at least 0.51, but it is 0.5000"),
      ("ece<=1", nil), ("ece=0", "ece must be at most 0.0, but it is"),
      ("top1<=0.4", "at most 0.4"),
      ("brier>=1.9", "at least 1.9"), ("least_recall=0.5", nil), ("auroc<=0", "but it is"),
      ("risk=0", "at most"),
    ])
  func requirement(text: String, expected: String?) throws {
    let report = ReportFixture.report(ReportFixture.evaluation())
    let failure = try #require(FigureRequirement(text)).failure(in: report)
    if let expected {
      #expect(failure?.contains(expected) == true, "\(failure ?? "met")")
    } else {
      #expect(failure == nil)
    }
  }

  @Test(
    "Invalid requirements are rejected",
    arguments: [
      "", "top1", "top1=", "top1=much", "top1==1", "precision=1", "=1", "top1=nan", "top1>1",
      "top1=inf", "top1=95", "top1=95%", "top1_lower=90", "top1=-0.1", "ece=1.01", "auroc=2",
      "brier=2.5",
    ])
  func noRequirement(text: String) { #expect(FigureRequirement(text) == nil) }

  @Test("A required figure that is missing fails")
  func unknownFigure() throws {
    let report = ReportFixture.report(ReportFixture.evaluation([]))
    let failure = try #require(FigureRequirement("top1=0.1")).failure(in: report)
    #expect(failure?.contains("no photos") == true)
  }

  @Test("The map shows fence, buildings, camera and both labels")
  func sketch() throws {
    let map = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"role": "boundary"}, "geometry": {"type": "Polygon",
         "coordinates": [[[179.99, 48], [-179.99, 48], [-179.99, 48.01], [179.99, 48.01], [179.99, 48]]]}},
        {"type": "Feature", "properties": {"role": "building", "label": "chapel", "name": "A & B"},
         "geometry": {"type": "Point", "coordinates": [179.999, 48.005]}},
        {"type": "Feature", "properties": {"role": "building", "label": "tower"},
         "geometry": {"type": "Polygon", "coordinates":
          [[[-179.999, 48.004], [-179.998, 48.004], [-179.998, 48.005], [-179.999, 48.004]]]}}]}
      """
    let sketch = try #require(CampusSketch(try Campus(geoJSON: Array(map.utf8))))
    #expect(sketch.ground.contains("map-fence") && sketch.ground.contains("A &amp; B"))
    let place = Position(latitude: 48.0045, longitude: -180)
    let svg = try #require(sketch.svg(at: place, heading: 90, truth: "chapel", answer: "tower"))
    for part in ["map-true", "map-answered", "map-view", "map-camera"] {
      #expect(svg.contains(part))
    }
    // All points are inside the drawing, even if it crosses the antimeridian.
    let circle = try #require(svg.firstMatch(of: /cx="([0-9.]+)" cy="([0-9.]+)"/))
    #expect(
      (0...240).contains(Double(circle.1) ?? -1) && (0...240).contains(Double(circle.2) ?? -1))
    #expect(sketch.svg(at: nil, heading: nil, truth: "chapel", answer: nil) == nil)
  }

  @Test(
    "Odds are formatted as ratios",
    arguments: [
      (0.0, "1.0 : 1"), (3.0, "20 : 1"), (-1.0, "1 : 2.7"), (700.0, "over a million : 1"),
    ])
  func odds(logarithm: Double, expected: String) { #expect(FigureText.odds(logarithm) == expected) }

  @Test("The difference of two percentages is that of the figures shown")
  func points() {
    // 82.4% and 78.0% are shown; the exact difference is 4.46 points.
    #expect(FigureText.points(between: 0.82444, and: 0.77976) == "4.4")
    #expect(FigureText.points(between: 0.77976, and: 0.82444) == "4.4")
  }
}

@Suite("Report folder")
struct ReportFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ end: String, after hole: UInt64) throws {
    let path = try folder.write([] as [UInt8], to: "report/report.json")
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seek(toOffset: hole)
    try file.write(contentsOf: Data(end.utf8))
    try file.close()
  }

  @Test("A report of any size is recognized, and other files are not")
  func isReport() throws {
    let schema = #""schema" : "cupola.evaluation/1"}"#
    for hole in [0, 1 << 30] as [UInt64] {
      try write(schema, after: hole)
      #expect(try ReportFolder(folder.path("report")).path == folder.path("report"))
      try write("{}", after: hole)
      #expect(throws: FileError.self) { try ReportFolder(folder.path("report")) }
    }
  }
}

@Suite("Figure requirements") struct FigureRequirementTests {
  @Test("A narrowly missed figure is printed with enough digits")
  func digits() throws {
    let report = ReportFixture.report(
      ReportFixture.evaluation([ReportFixture.chapel("1.jpg", "chapel", 0.131)]))
    for (wish, failure) in [
      ("brier=1.5103", "brier must be at most 1.5103, but it is 1.51032"),
      ("brier=1.5", "brier must be at most 1.5, but it is 1.5103"),
    ] {
      #expect(try #require(FigureRequirement(wish)).failure(in: report) == failure)
    }
  }
}
