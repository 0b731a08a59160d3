import Testing

@testable import CupolaSupport

@Suite("CSV")
struct CSVTests {
  private func parse(_ text: String) throws -> CSV {
    try CSV(Array(text.utf8))
  }

  @Test(
    "Reads rows",
    arguments: [
      ("a,b\n1,2\n", [["1", "2"]]),
      ("a,b\n1,2", [["1", "2"]]),
      ("a,b\r\n1,2\r\n3,4\r\n", [["1", "2"], ["3", "4"]]),
      ("a,b\r1,2\r3,4", [["1", "2"], ["3", "4"]]),
      ("\u{FEFF}a,b\n1,2\n", [["1", "2"]]),
      ("a,b\n,\n", [["", ""]]),
      ("a,b\n\n1,2\n\n\n3,4\n\n", [["1", "2"], ["3", "4"]]),
      ("a,b\n\"1,5\",2\n", [["1,5", "2"]]),
      ("a,b\n\"say \"\"hi\"\"\",2\n", [["say \"hi\"", "2"]]),
      ("a,b\n\"\",\"\"\n", [["", ""]]),
      ("a,b\n\"two\nlines\",2\n", [["two\nlines", "2"]]),
      ("a,b\nit\"s,2\n", [["it\"s", "2"]]),
      ("a,b\nÜbung,塔\n", [["Übung", "塔"]]),
      ("a,b\n 1 ,2\n", [[" 1 ", "2"]]),
      ("a,b\n", []),
    ] as [(String, [[String]])])
  func rows(text: String, expected: [[String]]) throws {
    let table = try parse(text)
    #expect(table.header == ["a", "b"])
    #expect(table.rows == expected)
    #expect(table.lines.count == expected.count)
  }

  @Test("Column names are trimmed and found by name")
  func columns() throws {
    let table = try parse("path, label ,\tsplit\nx,y,z\n")
    #expect(table.header == ["path", "label", "split"])
    #expect(table.column("split") == 2)
    #expect(table.column("group") == nil)
  }

  @Test(
    "Stores the line at which each row begins",
    arguments: [
      ("a,b\n1,2\n3,4\n", [2, 3]),
      ("a,b\r\n1,2\r\n3,4\r\n", [2, 3]),
      ("\n\na,b\n\n1,2\n\n3,4\n", [5, 7]),
      ("a,b\n\"1\n1\n1\",2\n3,4\n", [2, 5]),
      ("\"a\",\"b\"\r\n\"1\r\n1\",2\r\n3,4\r\n", [2, 4]),
    ])
  func lines(text: String, expected: [Int]) throws {
    #expect(try parse(text).lines == expected)
  }

  @Test(
    "Faults state the line and the cause",
    arguments: [
      ("", 1, "the table is empty"),
      ("\n\n\n", 1, "the table is empty"),
      ("\u{FEFF}", 1, "the table is empty"),
      ("\na;b\n1;2\n", 2, "columns are separated by semicolons; use commas"),
      ("a\tb\n1\t2\n", 1, "columns are separated by tabs; use commas"),
      ("a,b\n1,2\n3\n", 3, "1 fields, but the header has 2"),
      ("a,b\n1,2\n\n3,4,5\n", 4, "3 fields, but the header has 2"),
      ("a,b\n\"1\n1\",2\n3\n", 4, "1 fields, but the header has 2"),
      ("a,b\n1,2\n\"3,4\n5,6\n", 3, "unclosed quote"),
      ("a,b\n1,2\n3,\"4", 3, "unclosed quote"),
      ("a,b\n1,2\n\"3\"x,4\n", 3, "text after a closing quote"),
      ("a,b\n1,2\n3,\"4\" \n", 3, "text after a closing quote"),
    ])
  func faults(text: String, line: Int, problem: String) {
    #expect(
      throws: CSV.Fault(line: line, problem: problem)
    ) { try parse(text) }
  }

  @Test("Rejects text that is not UTF-8")
  func notUTF8() {
    #expect(
      throws: CSV.Fault(
        line: 1, problem: "not UTF-8 text; save the table as UTF-8 (Excel: CSV UTF-8)")
    ) { try CSV(Array("a,b\n1,".utf8) + [0xE9, 0x0A]) }
  }

  @Test("Reads quoted fields unchanged")
  func roundTrip() throws {
    let fields = ["plain", "com,ma", "quo\"te", "line\nfeed", "\r\n", "", " blank ", "\"\"", "ä"]
    let quoted = fields.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
    let header = fields.indices.map { "c\($0)" }.joined(separator: ",")
    let table = try parse(header + "\r\n" + quoted.joined(separator: ",") + "\r\n")
    #expect(table.rows == [fields])
  }

  @Test("Reads what it writes, including a quote before an accent")
  func written() throws {
    let fields = [
      "plain", "com,ma", "quo\"te", "\"\u{301}accent", "line\nfeed", "", " blank ", "tab\t", "\"\"",
    ]
    let header = fields.indices.map { "c\($0)" }.joined(separator: ",")
    let table = try parse(header + "\n" + fields.map(CSV.field).joined(separator: ",") + "\n")
    #expect(table.rows == [fields])
  }
}
