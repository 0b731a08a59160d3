import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Tables, figures and JSON objects")
struct TableTests {
  private struct Row: Sendable {
    var name = "a"
    var share: Double? = 0.25
    var ends: [Double]? = [0.1, 0.5]
    var more: [String: String] = [:]
  }

  private static let columns: [Column<Row>] = [
    .text("name") { $0.name }, .share("share", "the share") { $0.share },
    .interval("share_interval") { $0.ends }, .count("n", "photos", csv: "count") { _ in 0 },
    .texts("more") { $0.more },
  ]

  private static let table = Table(
    [Row(more: ["name": "x"]), Row(name: "b", share: nil, ends: nil, more: ["light": "y"])], columns
  )

  @Test("A column appears in JSON, CSV, page and text")
  func everywhere() throws {
    let columns = Self.columns.filter { $0.heading.key != "more" }
    let table = Table([Row()], columns)
    for column in columns.map(\.heading) {
      let name = try #require(column.fields.first)
      #expect(table.json[0][[column.key]] != nil)
      #expect(table.csv.contains(name))
      #expect(
        (table.view("")["header"] as? [ReportPage.View])?.contains {
          $0["text"] as? String == column.title
        }
          == true)
      #expect(table.text().contains(column.title))
    }
  }

  @Test("CSV has both interval ends and blanks for unknown values")
  func csv() {
    #expect(
      Self.table.csv == """
        name,share,share_lower,share_upper,count,light,split.name\r
        a,0.25,0.1,0.5,0,,x\r
        b,,,,0,y,\r

        """)
  }

  @Test("CSV column names are unique")
  func names() {
    let more: Column<Row> = .texts("parts") { _ in ["place": "1"] }
    let row = Row(more: ["place": "2", "split.place": "3"])
    let table = Table([row], [more] + Self.columns.suffix(1))
    #expect(table.csv == "place,split.place,split.split.place\r\n1,2,3\r\n")
  }

  @Test("JSON omits unknown values")
  func json() throws {
    #expect(
      try JSONObject.text(Self.table.json)
        == #"[{"more":{"name":"x"},"n":0,"name":"a","share":0.25,"share_interval":[0.1,0.5]},"#
        + #"{"more":{"light":"y"},"n":0,"name":"b"}]"#)
    let unknown: Int? = nil
    let object: JSONObject = ["a": unknown, "b": unknown.map { [$0] }, "c": nil, "d": Int?.some(3)]
    #expect(try JSONObject.text(object) == #"{"d":3}"#)
  }

  @Test("Text is aligned, with a dash for unknown values")
  func text() {
    let rows = [Row(name: "a\nb"), Row(share: nil, ends: nil)]
    #expect(
      Table(rows, Self.columns).without("more").text(indent: 2, zero: ".") == """
          name     the share   95% interval  photos
          a\\u{a}b      25.0%  10.0 to 50.0%       .
          a                -              -       .
        """)
  }

  @Test("Setting a nested member creates its parent objects")
  func path() throws {
    var object: JSONObject = ["a": ["b": 1] as JSONObject]
    object[["a", "c", "d"]] = 2
    #expect(object[["a", "b"]] as? Int == 1 && object[["a", "x"]] == nil)
    #expect(try JSONObject.text(object) == #"{"a":{"b":1,"c":{"d":2}}}"#)
  }

  @Test("Every figure has its own name and path")
  func figures() {
    #expect(Set(Figure.all.map(\.name)).count == Figure.all.count)
    #expect(Set(Figure.all.map(\.path)).count == Figure.all.count)
  }

  @Test("Every figure appears in JSON, CSV, page and text")
  func figure() async throws {
    let evaluation = ReportFixture.evaluation()
    let report = ReportFixture.report(evaluation)
    let csv = try ReportFixture.csv("figures", of: report)
    let page = try await ReportPage(report, of: Recognizer(model: ReportFixture.model())).html()
    let text = EvaluationText(report, width: 100).text
    for figure in report.shown {
      let value = try #require(report.figures[figure.name], "\(figure.name)")
      let told = report.json[figure.path]
      #expect(told as? Double ?? (told as? Int).map(Double.init) == value, "\(figure.name)")
      let row = try #require(csv.rows.first { $0[0] == figure.name })
      #expect(Double(row[2]) == value)
      #expect(page.contains("<bdi>\(figure.title)</bdi>"))
      #expect(text.contains(figure.shortTitle + " "))
    }
  }
}

@Suite("Text columns") struct TextColumnsTests {
  private let rows = [["part", "right", "wrong"], ["picture", "10", "2"], ["both", "12", "0"]]

  @Test("Columns are side by side if they fit")
  func wide() {
    let text = "part     right  wrong\npicture     10      2\nboth        12      0"
    #expect(TextColumns.aligned(rows, indent: 0) == text)
    #expect(TextColumns.aligned(rows, indent: 0, width: 21) == text)
  }

  @Test("Columns that do not fit continue below")
  func narrow() {
    #expect(
      TextColumns.aligned(rows, indent: 0, width: 20)
        == """
        part     right
        picture     10
        both        12

        part     wrong
        picture      2
        both         0
        """)
    #expect(TextColumns.aligned(rows, indent: 0, width: 1).contains("wrong"))
    #expect(TextColumns.aligned([], indent: 0, width: 20) == "")
  }

  @Test("Ideographs are two columns wide")
  func ideographs() {
    let rows = [["hall", "photos", "wrong"], ["図書館", "12", "館"]]
    let text = "hall    photos  wrong\n図書館      12     館"
    #expect(TextColumns.aligned(rows, indent: 0, width: 21) == text)
    #expect(TextColumns.aligned(rows, indent: 0, width: 20).contains("\n\n"))
    #expect(
      TextColumns.facts([("図書館", "12"), ("hall", "3")], width: 8) == "図書館  12\nhall    3")
  }
}
