internal import Cupola

// The tables of a report, shared by JSON, CSV, page and terminal.
// 1. Define headings and rows, with four output formats (Table).
// 2. Define a heading and a function that reads its value from a row (Column). 3. Look up display names
// (BuildingNames).

package struct Table: Sendable {
  struct Heading: Sendable {
    let key: String
    let title: String
    /// The names of the CSV fields: two for an interval; empty if the values supply the names.
    let fields: [String]
  }

  private(set) var headings: [Heading]
  private(set) var rows: [[Value]]

  init<Row>(_ rows: some Sequence<Row>, _ columns: [Column<Row>]) {
    headings = columns.map(\.heading)
    self.rows = rows.map { row in columns.map { $0.value(row) } }
  }

  func without(_ key: String) -> Table {
    guard let index = headings.firstIndex(where: { $0.key == key }) else { return self }
    var table = self
    table.headings.remove(at: index)
    for row in rows.indices { table.rows[row].remove(at: index) }
    return table
  }

  /// The table without columns that are empty in all rows.
  var filled: Table {
    guard !rows.isEmpty else { return self }
    return headings.indices.reduce(self) { table, column in
      rows.allSatisfy { $0[column].json == nil } ? table.without(headings[column].key) : table
    }
  }

  func prefix(_ most: Int) -> Table { keeping(Array(rows.prefix(most))) }
  func thinned(to most: Int) -> Table { keeping(rows.thinned(to: most)) }

  private func keeping(_ rows: [[Value]]) -> Table {
    var table = self
    table.rows = rows
    return table
  }

  package var json: [JSONObject] {
    rows.map { row in JSONObject(zip(headings, row).map { ($0.key, $1.json) }) }
  }

  /// One object per row, keyed by the first column, which the objects omit.
  var jsonByFirst: JSONObject {
    JSONObject(zip(rows, without(headings[0].key).json).map { ($0[0].fields[0], $1) })
  }

  /// The table as a value for the page templates.
  ///
  /// `isProse` and `proseAfter` mark columns of text, and `names` replaces labels in the first column.
  func view(
    _ caption: String, isProse: Bool = false, proseAfter column: Int? = nil,
    names: BuildingNames? = nil
  ) -> ReportPage.View {
    func cell(_ index: Int, _ text: String) -> ReportPage.View {
      ["text": text, "isText": column.map { index > $0 } ?? false]
    }
    return [
      "caption": caption, "isProse": isProse,
      "header": headings.enumerated().map { index, heading in
        cell(index, names != nil && heading.title == "label" ? "building" : heading.title)
      },
      "lines": rows.map { row -> ReportPage.View in
        let first = row.first?.text ?? ""
        var line: ReportPage.View = [
          "first": names?[first] ?? first,
          "others": row.enumerated().dropFirst().map { cell($0, $1.text) },
        ]
        if let label = names?.label(besideNameOf: first) { line["label"] = label }
        return line
      },
    ]
  }

  /// Returns the table with label names in the first column; adds a column of labels if any label differs from its
  /// name.
  func naming(_ names: BuildingNames) -> Table {
    let labels = rows.map { $0.first?.text ?? "" }
    guard labels.contains(where: { names.label(besideNameOf: $0) != nil }) else { return self }
    var table = self
    table.headings[0] = Heading(key: "building", title: "building", fields: ["building"])
    let label = Heading(key: "label", title: "label", fields: ["label"])
    table.headings.insert(label, at: 1)
    for (row, label) in labels.enumerated() {
      table.rows[row][0] = .text(names[label])
      table.rows[row].insert(.text(label), at: 1)
    }
    return table
  }

  /// The table as aligned text; see ``TextColumns/aligned(_:indent:width:)``. `zero` replaces counts of 0.
  func text(indent: Int = 0, width: Int = .max, zero: String = "0") -> String {
    let cells = rows.map { row in
      row.map { value in
        if case .count(0) = value { zero } else { value.text }
      }
    }
    return TextColumns.aligned([headings.map(\.title)] + cells, indent: indent, width: width)
  }

  /// The table as comma-separated values (RFC 4180, UTF-8, with a header).
  var csv: String {
    let names = Self.names(headings, rows)
    return Self.csv([Self.header(headings, names)] + rows.map { Self.line($0, names) })
  }

  static func writeCSV<Row>(
    of rows: some Sequence<Row>, _ columns: [Column<Row>],
    _ add: ([UInt8]) throws(FileError) -> Void
  ) throws(FileError) {
    let headings = columns.map(\.heading)
    let values = rows.lazy.map { row in columns.map { $0.value(row) } }
    let names = names(headings, values)
    try add(Array(csv([header(headings, names)]).utf8))
    for row in values { try add(Array(csv([line(row, names)]).utf8)) }
  }

  private static func names(_ headings: [Heading], _ rows: some Sequence<[Value]>) -> [[String]] {
    headings.enumerated().map { column, heading in
      guard heading.fields.isEmpty else { return [] }
      var names: Set<String> = []
      for row in rows { if case .texts(let texts) = row[column] { names.formUnion(texts.keys) } }
      return names.sorted()
    }
  }

  private static func header(_ headings: [Heading], _ names: [[String]]) -> [String] {
    var taken = Set(headings.flatMap(\.fields))
    return zip(headings, names).flatMap { heading, names in
      // Names supplied by values get a prefix if another column has the same name.
      heading.fields
        + names.map { name -> String in
          var field = name
          while !taken.insert(field).inserted { field = "split." + field }
          return field
        }
    }
  }

  private static func line(_ row: [Value], _ names: [[String]]) -> [String] {
    zip(row, names).flatMap { value, names -> [String] in
      guard case .texts(let texts) = value else { return value.fields }
      return names.map { texts[$0] ?? "" }
    }
  }

  static func csv(_ lines: [[String]]) -> String {
    lines.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  /// A CSV field without the apostrophe that ``csv(_:)`` adds to prevent formulas.
  static func unguarded(_ field: String) -> String {
    let rest = String(field.unicodeScalars.dropFirst())
    return field.unicodeScalars.first == "'" && isFormula(rest) ? rest : field
  }

  private static func quoted(_ field: String) -> String {
    isFormula(field) ? CSV.inQuotes("'" + field) : CSV.field(field)
  }

  /// Returns whether a spreadsheet would evaluate a text, such as a photo's name, as a formula; numbers are not
  /// formulas.
  private static func isFormula(_ field: String) -> Bool {
    guard let first = field.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first)
    else { return false }
    return !field.split(separator: " ").allSatisfy { Double($0) != nil }
  }
}

struct Column<Row>: Sendable {
  let heading: Table.Heading
  let value: @Sendable (Row) -> Value

  init(
    _ key: String, _ title: String? = nil, fields: [String]? = nil,
    value: @escaping @Sendable (Row) -> Value
  ) {
    heading = Table.Heading(key: key, title: title ?? key, fields: fields ?? [key])
    self.value = value
  }

  static func text(
    _ key: String, _ title: String? = nil, csv: String? = nil,
    _ read: @escaping @Sendable (Row) -> String?
  ) -> Column { Column(key, title, fields: csv.map { [$0] }) { .text(read($0)) } }

  static func count(
    _ key: String, _ title: String? = nil, csv: String? = nil,
    _ read: @escaping @Sendable (Row) -> Int?
  ) -> Column { Column(key, title, fields: csv.map { [$0] }) { .count(read($0)) } }

  static func share(
    _ key: String, _ title: String? = nil, _ read: @escaping @Sendable (Row) -> Double?
  ) -> Column { Column(key, title) { .share(read($0)) } }

  static func decimal(
    _ key: String, _ title: String? = nil, digits: Int = 2,
    _ read: @escaping @Sendable (Row) -> Double?
  ) -> Column { Column(key, title) { .decimal(read($0), digits: digits) } }

  /// A column for a 95% interval, with the CSV fields `lower` and `upper`.
  static func interval(
    _ key: String = "interval", _ read: @escaping @Sendable (Row) -> [Double]?
  ) -> Column {
    let fields = ["lower", "upper"].map { String(key.dropLast("interval".count)) + $0 }
    return Column(key, "95% interval", fields: fields) { .interval(read($0)) }
  }

  static func numbers(_ key: String, _ read: @escaping @Sendable (Row) -> [Double]?) -> Column {
    Column(key) { .numbers(read($0)) }
  }

  static func texts(_ key: String, _ read: @escaping @Sendable (Row) -> [String: String]) -> Column
  {
    Column(key, fields: []) { .texts(read($0)) }
  }

  /// The same column for rows that may contain a part of this row type.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> Column<Whole> {
    Column<Whole>(heading.key, heading.title, fields: heading.fields) { whole in
      part(whole).map(value) ?? .text(nil)
    }
  }
}

extension Campus? {
  /// The building's name on the map, or its label if the map does not contain it.
  package func name(of label: String) -> String {
    self?.building(labeled: label)?.name ?? Labels.title(of: label)
  }
}

extension Labels {
  /// The name of a label that Cupola adds; other labels are returned unchanged.
  package static func title(of label: String) -> String {
    switch label {
    case unfamiliar: "something else"
    case PhotoSet.negativeLabel: "non-building photos"
    case DrawnPhotos.label: "rendered objects"
    case DrawnPhotos.landscapeLabel: "rendered landscapes"
    default: label
    }
  }
}

struct BuildingNames: Sendable {
  private let campus: Campus?
  private let shared: Set<String>

  init(_ campus: Campus?, labels: [String]) {
    self.campus = campus
    let counts = Dictionary(grouping: Set(labels)) { campus.name(of: $0) }
    shared = Set(counts.filter { $0.value.count > 1 }.keys)
  }

  subscript(label: String) -> String {
    let name = campus.name(of: label)
    return shared.contains(name) && name != label ? "\(name) (\(label))" : name
  }

  func label(besideNameOf label: String) -> String? { self[label] == label ? nil : label }
}

extension EvaluationReport {
  var names: BuildingNames {
    let campus = card?.recognizer.model.campus
    return BuildingNames(
      campus, labels: evaluation.confusion.labels + (campus?.buildings.map(\.label) ?? []))
  }
}
