import Testing

@testable import CupolaTraining

@Suite("CSV")
struct CSVTests {
  private func parse(_ text: String) throws -> CSV {
    try CSV(Array(text.utf8), path: "split.csv")
  }

  @Test(
    "reads rows",
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

  @Test("column names may have blanks around them, and are found by name")
  func columns() throws {
    let table = try parse("path, label ,\tsplit\nx,y,z\n")
    #expect(table.header == ["path", "label", "split"])
    #expect(table.column("split") == 2)
    #expect(table.column("group") == nil)
  }

  @Test(
    "knows the line where each row begins",
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
    "names the line of a fault, and the fault",
    arguments: [
      ("", 1, "it is empty"),
      ("\n\n\n", 1, "it is empty"),
      ("\u{FEFF}", 1, "it is empty"),
      ("\na;b\n1;2\n", 2, "semicolons between columns; write commas"),
      ("a\tb\n1\t2\n", 1, "tabs between columns; write commas"),
      ("a,b\n1,2\n3\n", 3, "1 fields where the header has 2"),
      ("a,b\n1,2\n\n3,4,5\n", 4, "3 fields where the header has 2"),
      ("a,b\n\"1\n1\",2\n3\n", 4, "1 fields where the header has 2"),
      ("a,b\n1,2\n\"3,4\n5,6\n", 3, "a quote is never closed"),
      ("a,b\n1,2\n3,\"4", 3, "a quote is never closed"),
      ("a,b\n1,2\n\"3\"x,4\n", 3, "text after a closing quote"),
      ("a,b\n1,2\n3,\"4\" \n", 3, "text after a closing quote"),
    ])
  func faults(text: String, line: Int, problem: String) {
    #expect(
      throws: TrainingError.badTable(path: "split.csv", line: line, problem: problem)
    ) { try parse(text) }
  }

  @Test("refuses what is not UTF-8")
  func notUTF8() {
    #expect(
      throws: TrainingError.badTable(
        path: "split.csv", line: 1,
        problem: "it is not UTF-8 text; save it as such (Excel: CSV UTF-8)")
    ) { try CSV(Array("a,b\n1,".utf8) + [0xE9, 0x0A], path: "split.csv") }
  }

  @Test("gives back what was quoted, whatever it was")
  func roundTrip() throws {
    let fields = ["plain", "com,ma", "quo\"te", "line\nfeed", "\r\n", "", " blank ", "\"\"", "ä"]
    let quoted = fields.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
    let header = fields.indices.map { "c\($0)" }.joined(separator: ",")
    let table = try parse(header + "\r\n" + quoted.joined(separator: ",") + "\r\n")
    #expect(table.rows == [fields])
  }

  @Test("reads what it writes, a quote with an accent behind it, too")
  func written() throws {
    let fields = [
      "plain", "com,ma", "quo\"te", "\"\u{301}accent", "line\nfeed", "", " blank ", "tab\t", "\"\"",
    ]
    let header = fields.indices.map { "c\($0)" }.joined(separator: ",")
    let table = try parse(header + "\n" + fields.map(CSV.field).joined(separator: ",") + "\n")
    #expect(table.rows == [fields])
  }
}
