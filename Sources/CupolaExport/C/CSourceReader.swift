internal import Cupola

/// Finds constants, lists and tables in the text of a C export, whatever else is there.
///
/// Memory is taken for what the text has, never for what it claims.
struct CSourceReader {
  /// More bytes than this are refused.
  static let fileLimit = 2 << 30

  let file: String
  /// By name without the `CUPOLA_` before it; of several the first.
  private(set) var constants: [String: String] = [:]
  /// The lines between the braces, by the name of the list.
  private(set) var lists: [String: [String]] = [:]
  /// By the name in C, all with two axes.
  private(set) var tables: [String: SafeTensors.Tensor] = [:]

  private static let define = Array("#define CUPOLA_".utf8)
  private static let table = Array("CUPOLA_TABLE(".utf8)
  private static let listEnd = Array("};".utf8)
  private static let tableEnd = Array("}};".utf8)
  private static let listNames = [
    "label_of_row", "cupola_labels", "cupola_names", "fence_points", "fence_ring_ends",
    "fence_polygon_ends",
  ]

  init(_ text: [UInt8], file: String) throws(CSourceFault) {
    self.file = file
    guard text.count <= Self.fileLimit else {
      throw .unreadable("a text of \(text.count) bytes", file: file)
    }
    var rest = text[...]
    while !rest.isEmpty {
      let line = Self.line(&rest)
      if line.starts(with: Self.define) {
        readConstant(line.dropFirst(Self.define.count))
      } else if line.starts(with: Self.table) {
        let opening = String(decoding: line.dropFirst(Self.table.count), as: UTF8.self)
        try readTable(opening, text, &rest)
      } else if line.last == UInt8(ascii: "{"), let name = Self.listName(line) {
        try readList(name, &rest)
      }
    }
  }

  /// Takes the first line, without its end.
  private static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
    let line = rest[rest.startIndex..<end]
    rest = rest[min(end + 1, rest.endIndex)...]
    return line
  }

  private mutating func readConstant(_ line: ArraySlice<UInt8>) {
    let text = String(decoding: line, as: UTF8.self)
    guard let space = text.firstIndex(of: " ") else { return }
    let name = String(text[..<space])
    if constants[name] == nil { constants[name] = String(text[text.index(after: space)...]) }
  }

  /// The list that a line like `const char *const NAME[COUNT] = {` begins.
  private static func listName(_ line: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: line, as: UTF8.self)
    // Functions name the lists too.
    guard text.hasPrefix("const ") || text.hasPrefix("static const ") else { return nil }
    return listNames.first { text.contains(" \($0)[") || text.contains("*\($0)[") }
  }

  private mutating func readList(
    _ name: String, _ rest: inout ArraySlice<UInt8>
  ) throws(CSourceFault) {
    var lines: [String] = []
    while true {
      guard !rest.isEmpty else { throw .unreadable(name, file: file) }
      let line = Self.line(&rest)
      if line.elementsEqual(Self.listEnd) { break }
      lines.append(String(decoding: line, as: UTF8.self))
    }
    if lists[name] == nil { lists[name] = lines }
  }

  /// - Parameters:
  ///   - opening: what follows `CUPOLA_TABLE(`.
  ///   - text: what `rest` is the rest of.
  private mutating func readTable(
    _ opening: String, _ text: [UInt8], _ rest: inout ArraySlice<UInt8>
  ) throws(CSourceFault) {
    let parts = opening.prefix { $0 != ")" }.split(separator: ",").map { part in
      String(part.drop { $0 == " " })
    }
    guard parts.count == 4, let rows = Int(parts[2]), let columns = Int(parts[3]),
      let size = ["I8": 1, "F16": 2, "F32": 4][parts[1]], rows > 0, columns > 0
    else { throw .unreadable("the table \(parts.first ?? "")", file: file) }
    let start = rest.startIndex
    var end = start
    while true {
      guard !rest.isEmpty else { throw .unreadable("the table \(parts[0])", file: file) }
      end = rest.startIndex
      if Self.line(&rest).elementsEqual(Self.tableEnd) { break }
    }
    let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
    guard !overflow, count <= Self.fileLimit,
      let bytes = CTable.bytes(text[start..<end], count: count * size)
    else { throw .unreadable("the table \(parts[0])", file: file) }
    tables[parts[0]] = SafeTensors.Tensor(
      type: parts[1], shape: [rows, columns], bytes: bytes)
  }
}
