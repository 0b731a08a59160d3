extension OpeningHoursReader {
  var isAtEnd: Bool { position >= scalars.count }
  var peek: Unicode.Scalar? { peek(0) }

  func peek(_ ahead: Int) -> Unicode.Scalar? {
    let index = position + ahead
    return index < scalars.count ? scalars[index] : nil
  }

  func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { ("0"..."9").contains($0) } ?? false
  }

  private func isLetter(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { ("a"..."z").contains($0) || ("A"..."Z").contains($0) } ?? false
  }

  mutating func skipSpaces() {
    while peek == " " || peek == "\t" { position += 1 }
  }

  /// Skips a scalar, if it stands here.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  /// Skips a hyphen and the spaces around it, if one stands here.
  mutating func takeHyphen() -> Bool {
    let start = position
    skipSpaces()
    guard take("-") else {
      position = start
      return false
    }
    skipSpaces()
    return true
  }

  /// Skips a word that no letter or digit follows, if it stands here.
  mutating func takeWord(_ word: String) -> Bool {
    let letters = Array(word.unicodeScalars)
    guard scalars[min(position, scalars.count)...].starts(with: letters) else { return false }
    let next = peek(letters.count)
    guard !isDigit(next), !isLetter(next) else { return false }
    position += letters.count
    return true
  }

  /// The ASCII letters from here, in small letters; at most ten.
  func peekLetters() -> String {
    var letters = String.UnicodeScalarView()
    while letters.count < 10, let scalar = peek(letters.count), isLetter(scalar) {
      letters.append(scalar)
    }
    return String(letters).lowercased()
  }

  /// How many digits stand here, counted up to five.
  var digitCount: Int {
    var count = 0
    while count < 5, isDigit(peek(count)) { count += 1 }
    return count
  }

  /// Reads a number of so many digits; `nil`, and nothing read, where there are more or fewer.
  mutating func readNumber(digits: ClosedRange<Int>) -> Int? {
    let count = digitCount
    guard digits.contains(count) else { return nil }
    var number = 0
    for _ in 0..<count {
      guard let scalar = peek else { break }
      number = number * 10 + Int(scalar.value) - 0x30
      position += 1
    }
    return number
  }

  func problem(_ message: String, at offset: Int? = nil) -> OpeningHoursProblem {
    OpeningHoursProblem(offset: min(offset ?? position, scalars.count), message: message)
  }
}
