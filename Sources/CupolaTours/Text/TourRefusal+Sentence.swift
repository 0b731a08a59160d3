extension TourRefusal {
  /// One line for people.
  public var sentence: String {
    switch self {
    case .unknownStop: "The tour has no such stop."
    case .unknownQuestion: "The stop has no such question."
    case .notReached: "Go to the stop first."
    case .notOpen: "Other stops come first."
    case .isOver: "That is over already."
    case .notAnAnswer: "That is no answer to this question."
    }
  }
}
