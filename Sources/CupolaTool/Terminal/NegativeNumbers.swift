/// Negative numbers on the command line, as values of the options before them.
enum NegativeNumbers {
  /// The same words, with `--top=-1` where `--top` and `-1` stood.
  ///
  /// ArgumentParser takes every word with a hyphen before it for an option and calls the value missing: what options say
  /// of numbers that they do not take would never be read.
  static func joined(to words: [String]) -> [String] {
    // Shells ask by place which word is to be completed.
    guard words.first?.hasPrefix("---") != true else { return words }
    var joined: [String] = []
    for (number, word) in words.enumerated() {
      // Whatever stands behind -- is no option.
      if word == "--" { return joined + words[number...] }
      if let option = joined.last, option.hasPrefix("--"), !option.contains("="),
        word.hasPrefix("-"), Double(word) != nil
      {
        joined[joined.count - 1] = option + "=" + word
      } else {
        joined.append(word)
      }
    }
    return joined
  }
}
