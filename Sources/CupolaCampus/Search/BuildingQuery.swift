/// What is asked of the catalog: a building must have everything that is not `nil`.
///
/// Words may come in any order, each with small typing errors or as its beginning only; case, accents
/// and punctuation do not count. Blank texts ask for nothing; texts without a letter or digit, such
/// as `?`, find nothing.
public struct BuildingQuery: Equatable, Codable, Sendable {
  /// Words of the name, the abbreviation or the description.
  public var words: String?
  /// Words of the name, or of another name that the map has.
  public var name: String?
  /// The abbreviation, or the beginning of it; without blanks and without forgiving errors.
  public var abbreviation: String?
  /// Words of the category.
  public var category: String?
  /// Words of the address.
  public var address: String?
  /// When it was built. A building whose date is a range is found when they overlap.
  public var years: YearRange?
  /// The most buildings to return; `nil` for all.
  public var limit: Int?

  /// Asks for words of the name, the abbreviation or the description, or else for nothing.
  public init(_ words: String? = nil) { self.words = words }
}
