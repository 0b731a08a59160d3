internal import CupolaCampus
internal import CupolaSupport

/// The words of a text as ``Folding`` gives them, one after the other, a zero before each.
struct FoldedText: Equatable {
  private var letters: [UInt32] = []

  init(words: [[UInt32]]) {
    for word in words {
      letters.append(0)
      letters += word
    }
  }

  init(_ text: String, _ folding: inout Folding) {
    if let plain = FoldedText(plain: text) {
      self = plain
    } else {
      self.init(words: folding.words(of: text))
    }
  }

  /// The short way for a text of ASCII alone, ten times as fast; `nil` for others.
  init?(plain text: String) {
    letters.reserveCapacity(text.utf8.count + 1)
    var isInWord = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        if !isInWord { letters.append(0) }
        isInWord = true
        letters.append(UInt32(byte < 0x41 ? byte : byte | 0x20))
      case UInt8(ascii: "'"), UInt8(ascii: "`"): continue
      case 0x80...: return nil
      default: isInWord = false
      }
    }
  }

  /// Whether one of its words begins so.
  func hasWord(beginning word: [UInt32]) -> Bool {
    guard let first = word.first else { return true }
    var place = 0
    while place + word.count < letters.count {
      if letters[place] == 0, letters[place + 1] == first,
        letters[(place + 1)...].starts(with: word)
      {
        return true
      }
      place += 1
    }
    return false
  }
}
