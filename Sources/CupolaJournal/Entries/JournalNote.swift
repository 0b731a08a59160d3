/// What the visitor wrote, said or photographed.
public struct JournalNote: Equatable, Sendable {
  /// At most 1,000 bytes of UTF-8.
  public var title: String
  /// At most 100,000 bytes of UTF-8.
  public var text: String
  /// 1 (bad) to 5 (good).
  public var rating: Int?
  /// A voice file.
  public var voice: JournalMedia?
  /// At most 100.
  public var photos: [JournalMedia]

  /// A note; ``Journal`` refuses one beyond these limits.
  public init(
    title: String = "", text: String = "", rating: Int? = nil, voice: JournalMedia? = nil,
    photos: [JournalMedia] = []
  ) {
    self.title = title
    self.text = text
    self.rating = rating
    self.voice = voice
    self.photos = photos
  }
}
