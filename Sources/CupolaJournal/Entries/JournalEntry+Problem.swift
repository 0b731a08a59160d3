internal import CupolaCampus

extension JournalEntry {
  /// Why no journal can keep it, in a few words; `nil` when one can.
  var problem: String? {
    guard JournalLimits.times.contains(time) else { return "a time outside of 1970 to 9999" }
    for name in [building, place, confirmedLabel] {
      if let name, !JournalEntry.isName(name) { return "an empty or too long label or place" }
    }
    switch content {
    case .favorite: return nil
    case .seen(let sighting): return sighting.problem
    case .note(let note): return note.problem
    case .question(let question): return question.problem
    }
  }

  static func isName(_ text: String) -> Bool { (1...JournalLimits.name).contains(text.utf8.count) }
}

extension JournalSighting {
  fileprivate var problem: String? {
    guard JournalEntry.isName(label) else { return "an empty or too long label" }
    guard (0...1).contains(confidence) else { return "a confidence outside of 0 to 1" }
    return photo.map(\.isPhoto) ?? true ? nil : "a photo of another kind of file"
  }
}

extension JournalNote {
  fileprivate var problem: String? {
    guard title.utf8.count <= JournalLimits.name else { return "a title too long" }
    guard text.utf8.count <= JournalLimits.text else { return "a text too long" }
    guard rating.map({ (1...5).contains($0) }) ?? true else { return "a rating outside of 1 to 5" }
    guard photos.count <= JournalLimits.photos else { return "too many photos" }
    guard photos.allSatisfy(\.isPhoto), !(voice?.isPhoto ?? false) else {
      return "a photo or voice of another kind of file"
    }
    return nil
  }
}

extension JournalQuestion {
  fileprivate var problem: String? {
    guard (1...JournalLimits.text).contains(text.utf8.count) else {
      return "an empty or too long question"
    }
    guard let email else { return nil }
    return JournalQuestion.isEmail(email) ? nil : "an e-mail address that is none"
  }
}
