/// What is wrong with a line, in a few words.
struct JournalProblem: Error, Equatable {
  let text: String
  init(_ text: String) { self.text = text }
}
