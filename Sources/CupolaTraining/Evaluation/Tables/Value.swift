/// A value of a report: machines are given all of it, people as much as its kind shows.
enum Value: Sendable {
  case text(String?)
  case count(Int?)
  /// A share of 1; people read percents.
  case share(Double?)
  /// People read so many digits after the point.
  case decimal(Double?, digits: Int)
  /// The ends of the 95 % interval of a share.
  case interval([Double]?)
  case numbers([Double])
  /// Texts by their names; a column each in CSV.
  case texts([String: String])
  /// Anything else, and how people read it.
  case other(JSONObject.Member, String)

  /// The value in JSON; `nil` where it is unknown.
  var json: JSONObject.Member? {
    switch self {
    case .text(let text): return text
    case .count(let count): return count
    case .share(let number), .decimal(let number, _): return number
    case .interval(let ends): return ends
    case .numbers(let numbers): return numbers
    case .texts(let texts): return texts
    case .other(let value, _): return value
    }
  }

  /// The value as a number, if it is one.
  var number: Double? {
    switch self {
    case .count(let count): count.map(Double.init)
    case .share(let number), .decimal(let number, _): number
    default: nil
    }
  }

  /// The value as people read it; `-` stands for an unknown number.
  var text: String {
    switch self {
    case .text(let text): text ?? ""
    case .count(let count): count.map { "\($0)" } ?? "-"
    case .share(let share): FigureText.percent(share)
    case .decimal(let number, let digits): FigureText.decimal(number, digits: digits)
    case .interval(let ends): ends.map(FigureText.interval) ?? "-"
    case .numbers(let numbers): numbers.map { "\($0)" }.joined(separator: " ")
    case .texts(let texts): texts.keys.sorted().map { texts[$0] ?? "" }.joined(separator: ", ")
    case .other(_, let text): text
    }
  }

  /// The value in a file of CSV, in two columns if it is an interval.
  var fields: [String] {
    switch self {
    case .interval(let ends): ends?.map { "\($0)" } ?? ["", ""]
    case .text, .numbers, .texts: [text]
    case .count(let count): [count.map { "\($0)" } ?? ""]
    case .share(let number), .decimal(let number, _): [number.map { "\($0)" } ?? ""]
    case .other(let value, _): ["\(value)"]
    }
  }
}
