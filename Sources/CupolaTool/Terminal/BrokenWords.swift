import ArgumentParser

/// Words of the command line that are no UTF-8, as terminals of other encodings give them. Swift reads U+FFFD for what it
/// cannot: an output would get another name, which several share, and a note another text.
enum BrokenWords {
  /// As Swift reads them.
  static let all = Set(Console.brokenWords)

  /// Refuses them, but for photos among others, which are told one by one.
  ///
  /// - Parameter words: of the command line, without the program's own name.
  /// - Throws: `ValidationError`.
  static func check(_ words: [String]) throws {
    // Shells ask for completions of words that are not whole.
    guard !all.isEmpty, words.first?.hasPrefix("---") != true else { return }
    for (number, word) in words.enumerated()
    where all.contains(word) && !isPhoto(number, of: words) {
      throw ValidationError(
        "\"\(word)\" is no UTF-8; rename the file, or set terminal and locale to UTF-8.")
    }
  }

  /// Whether a word may be one of many photos: not the model, no option and no option's value.
  private static func isPhoto(_ number: Int, of words: [String]) -> Bool {
    guard number > 1, [Classify._commandName, Watch._commandName].contains(words[0]) else {
      return false
    }
    return !words[number].hasPrefix("-")
      && (!words[number - 1].hasPrefix("-") || ["-", "--"].contains(words[number - 1]))
  }
}
