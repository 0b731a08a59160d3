public import CupolaCampus
internal import CupolaGuide

/// Something that a visitor keeps.
public struct JournalEntry: Equatable, Sendable, Identifiable {
  /// What names it for good.
  public let id: JournalID
  /// When it was, seconds since 1970.
  public var time: Double
  /// Where the visitor was.
  public var position: Position?
  /// The label of the building in the catalog.
  public var building: String?
  /// What people call the place.
  public var place: String?
  /// The label that the visitor confirmed: only then its photos may become training photos.
  public var confirmedLabel: String?
  /// What it says.
  public var content: JournalContent

  /// An entry as ``Journal`` keeps it; new ones are made by
  /// ``Journal/append(_:at:position:building:place:confirmedLabel:)``.
  public init(
    id: JournalID, time: Double, position: Position? = nil, building: String? = nil,
    place: String? = nil, confirmedLabel: String? = nil, content: JournalContent
  ) {
    self.id = id
    self.time = time
    self.position = position
    self.building = building
    self.place = place
    self.confirmedLabel = confirmedLabel
    self.content = content
  }

  /// What it is.
  public var kind: JournalKind { content.kind }

  /// The label of the building that it is about: the confirmed one, else the given, else the recognizer's.
  public var buildingLabel: String? {
    if let label = confirmedLabel ?? building { return label }
    guard case .seen(let sighting) = content else { return nil }
    return sighting.label
  }

  /// Its photos, in their order.
  public var photos: [JournalMedia] {
    switch content {
    case .seen(let sighting): sighting.photo.map { [$0] } ?? []
    case .note(let note): note.photos
    case .favorite, .question: []
    }
  }

  /// Its photos and its voice file.
  public var media: [JournalMedia] {
    guard case .note(let note) = content, let voice = note.voice else { return photos }
    return note.photos + [voice]
  }

  /// What people call it, in one line.
  public var title: String {
    let own =
      switch content {
      case .note(let note): note.title
      case .question: "Question"
      case .favorite, .seen: ""
      }
    if !own.isEmpty { return own }
    return place ?? buildingLabel ?? "Note"
  }
}
