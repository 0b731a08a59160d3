/// What the header of a model file seems to say, found without decoding it: enough to begin with a photo beside
/// reading the model, which may say otherwise.
package enum ModelGlance {
  /// Headers of models of some thousand buildings; looking through a longer one takes longer than is won.
  private static let mostBytes = 32 << 20

  /// The side of the square that photos are made into; `nil` where the file seems not to say.
  package static func inputSide(inFileAt path: String) -> Int? {
    guard let header = try? SafeTensorsIndex.header(ofFileAt: path, mostBytes: mostBytes) else {
      return nil
    }
    return inputSide(in: header.bytes)
  }

  /// The recipe is one of the last texts: from the end to the beginning.
  static func inputSide(in header: [UInt8]) -> Int? {
    let mark = Array(#"\"inputSide\":"#.utf8)
    let (header, searched) = (header.span, mark.span)
    for start in stride(from: header.count - searched.count, through: 0, by: -1)
    where header.matches(searched, at: start) {
      return number(header.extracting((start + searched.count)...))
    }
    return nil
  }

  /// The whole number from 1 to 9,999 that a text begins with.
  private static func number(_ text: Span<UInt8>) -> Int? {
    var number = 0
    for index in 0..<min(4, text.count) {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[index] else { break }
      number = 10 * number + Int(text[index] - UInt8(ascii: "0"))
    }
    return number > 0 ? number : nil
  }
}
