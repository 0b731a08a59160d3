/// A column of tables about one kind of rows. It is declared beside the rows, and nowhere else: JSON, CSV,
/// page and terminal all show it.
struct Column<Row>: Sendable {
  /// What it is called in JSON.
  let key: String
  /// What people call it.
  let title: String
  /// What it is called in CSV: two names for both ends of an interval, none where the values bring them.
  let fields: [String]
  let value: @Sendable (Row) -> Value

  /// - Parameters:
  ///   - title: the key unless given.
  ///   - csv: its name in CSV where that is another.
  init(
    _ key: String, _ title: String? = nil, csv: String? = nil,
    value: @escaping @Sendable (Row) -> Value
  ) {
    self.key = key
    self.title = title ?? key
    fields = [csv ?? key]
    self.value = value
  }

  private init(
    key: String, title: String, fields: [String], value: @escaping @Sendable (Row) -> Value
  ) {
    (self.key, self.title, self.fields, self.value) = (key, title, fields, value)
  }

  static func text(
    _ key: String, _ title: String? = nil, csv: String? = nil,
    _ read: @escaping @Sendable (Row) -> String?
  ) -> Column { Column(key, title, csv: csv) { .text(read($0)) } }

  static func count(
    _ key: String, _ title: String? = nil, csv: String? = nil,
    _ read: @escaping @Sendable (Row) -> Int?
  ) -> Column { Column(key, title, csv: csv) { .count(read($0)) } }

  static func share(
    _ key: String, _ title: String? = nil, _ read: @escaping @Sendable (Row) -> Double?
  ) -> Column { Column(key, title) { .share(read($0)) } }

  static func decimal(
    _ key: String, _ title: String? = nil, digits: Int = 2,
    _ read: @escaping @Sendable (Row) -> Double?
  ) -> Column { Column(key, title) { .decimal(read($0), digits: digits) } }

  /// The 95 % interval of a share: `lower` and `upper` in CSV.
  static func interval(
    _ key: String = "interval", _ read: @escaping @Sendable (Row) -> [Double]?
  ) -> Column {
    let fields = ["lower", "upper"].map { key.replacingLast("interval", by: $0) }
    return Column(key: key, title: "95 % interval", fields: fields) { .interval(read($0)) }
  }

  static func numbers(_ key: String, _ read: @escaping @Sendable (Row) -> [Double]?) -> Column {
    Column(key) { row in read(row).map { .numbers($0) } ?? .text(nil) }
  }

  static func texts(_ key: String, _ read: @escaping @Sendable (Row) -> [String: String]) -> Column
  {
    Column(key: key, title: key, fields: []) { .texts(read($0)) }
  }

  /// The same column of rows that have one of these, or perhaps none, in them.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> Column<Whole> {
    Column<Whole>(key: key, title: title, fields: fields) { whole in
      part(whole).map(value) ?? .text(nil)
    }
  }
}

extension String {
  fileprivate func replacingLast(_ end: String, by other: String) -> String {
    hasSuffix(end) ? dropLast(end.count) + other : self
  }
}
