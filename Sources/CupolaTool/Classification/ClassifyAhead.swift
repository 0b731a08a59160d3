import CMemory
import Cupola

/// What `cupola classify MODEL PHOTO` reads, begun before its arguments are understood, which takes as long as reading
/// the model.
///
/// The first words say all that is needed: without an option before them they are the model and the first photo.
struct ClassifyAhead: Sendable {
  /// Of this process; `nil` when it has another command, or a single core, which has nothing to do it beside.
  static let begun: ClassifyAhead? = {
    guard CommonOptions.cores > 1 else { return nil }
    let words = CommandLine.arguments
    if answersOnce(words) { cmemory_foresee(bytesOfAnswer) }
    return ClassifyAhead(words)
  }()

  /// What the first answer of a large photo takes.
  private static let bytesOfAnswer = 8 << 20

  let model: ModelAhead
  /// `nil` when there is none to decode, or when options say how many threads are to work.
  let photo: PhotoAhead?

  /// - Parameter words: of the command line, the program's own name first.
  init?(_ words: [String]) {
    guard Self.names(words) else { return nil }
    let model = ModelAhead(words[2])
    self.model = model
    // First of all, for it takes longest. On two cores a third thread would take turns with it: the model is then read
    // by the one that is done first, with the photo or with the arguments.
    photo = Self.photo(words) { model.begin() }
    if photo == nil || CommonOptions.cores > 2 { model.begin() }
  }

  /// Whether the first words name a model.
  private static func names(_ words: [String]) -> Bool {
    words.count > 2 && words[1] == "classify" && !words[2].hasPrefix("-")
  }

  /// The first photo that they name, or a folder of photos.
  private static func firstPhoto(_ words: [String]) -> String? {
    names(words) && words.count > 3 && !words[3].hasPrefix("-") ? words[3] : nil
  }

  /// Whether they name one photo, and nothing that may be another.
  static func answersOnce(_ words: [String]) -> Bool {
    guard let photo = firstPhoto(words), !Directory.isDirectory(photo) else { return false }
    return words[4...].allSatisfy { $0.hasPrefix("-") && !$0.hasPrefix("--list") }
  }

  private static func photo(
    _ words: [String], then next: @escaping @Sendable () -> Void
  ) -> PhotoAhead? {
    guard let photo = firstPhoto(words), !BrokenWords.all.contains(photo),
      !words.contains(where: { $0.hasPrefix("--threads") })
    else { return nil }
    var decoder = PhotoDecoder()
    // Behind -- it is the name of a photo.
    decoder.lenient = words.prefix { $0 != "--" }.contains("--lenient")
    return PhotoAhead(photo, by: decoder, forModelAt: words[2], then: next)
  }
}
