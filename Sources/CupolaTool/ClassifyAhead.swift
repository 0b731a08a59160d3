import CMemory
import Cupola

/// What `cupola classify MODEL PHOTO` reads, begun before its arguments are understood, which takes as long as reading
/// the model.
///
/// The first words say all that is needed: without an option before them they are the model and the first photo.
struct ClassifyAhead: Sendable {
  /// Of this process; `nil` when it has another command, or a single core, which has nothing to do it beside.
  static let begun = CommonOptions.cores > 1 ? ClassifyAhead(CommandLine.arguments) : nil

  /// What the first answer of a large photo takes.
  private static let bytesOfAnswer = 8 << 20

  private let begunReading: Task<Result<Model, CupolaError>, Never>
  /// `nil` when there is none to decode, or when options say how many threads are to work.
  let photo: PhotoAhead?

  /// - Parameter words: of the command line, the program's own name first.
  init?(_ words: [String]) {
    guard words.count > 2, words[1] == "classify", !words[2].hasPrefix("-") else { return nil }
    cmemory_foresee(Self.bytesOfAnswer)
    let path = words[2]
    let header = Task.detached {
      Result { () throws(CupolaError) in try ModelReading(contentsOf: path) }
    }
    begunReading = Task.detached {
      let reading = await header.value
      return Result { () throws(CupolaError) in try reading.get().model() }
    }
    guard words.count > 3, !words[3].hasPrefix("-"),
      !words.contains(where: { $0.hasPrefix("--threads") })
    else {
      photo = nil
      return
    }
    var decoder = PhotoDecoder()
    decoder.lenient = words.contains("--lenient")
    photo = PhotoAhead(words[3], by: decoder) {
      await (try? header.value.get())?.inputSide
    }
  }

  /// - Throws: ``CupolaError``, as the reading itself does.
  var model: Model {
    get async throws(CupolaError) { try await begunReading.value.get() }
  }
}
