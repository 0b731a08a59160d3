/// The floors that something is on, by OpenStreetMap's tag `level`: `2`, `-1;0`, `0-3`, `-3--1`, `0.5`.
struct Levels: Equatable, Sendable {
  /// Ascending; 0 is the ground floor of most maps. Halves are mezzanines.
  let numbers: [Double]

  /// How many floors a feature may be on.
  private static let most = 250

  /// Fails when a part is neither a number nor a range of numbers.
  init?(_ text: String) {
    var numbers: Set<Double> = []
    for part in text.split(whereSeparator: { $0 == ";" || $0 == "," }) {
      let part = part.filter { $0 != " " }
      if let number = Self.number(part) {
        numbers.insert(number)
      } else if let range = Self.range(part) {
        numbers.formUnion(range)
      } else {
        return nil
      }
    }
    guard !numbers.isEmpty, numbers.count <= Self.most else { return nil }
    self.numbers = numbers.sorted()
  }

  /// Whether all floors of a text, such as of the tag `repeat_on`, are among these.
  func cover(_ text: String) -> Bool {
    Levels(text)?.numbers.allSatisfy { numbers.contains($0) } ?? false
  }

  private static func number(_ text: some StringProtocol) -> Double? {
    guard text.utf8.count <= 8, let number = Double(String(text)), number.magnitude <= 1_000,
      (number * 10).rounded() == number * 10
    else { return nil }
    // Minus zero is another bit pattern.
    return number + 0
  }

  private static func range(_ text: String) -> [Double]? {
    // The first minus is a sign.
    guard let dash = text.dropFirst().firstIndex(of: "-"), let low = number(text[..<dash]),
      let high = number(text[text.index(after: dash)...]), low <= high,
      high - low < Double(most)
    else { return nil }
    return Array(stride(from: low, through: high, by: 1))
  }
}
