public import ArgumentParser
public import CupolaGuide

extension JournalID: ExpressibleByArgument {
  /// Reads what `cupola journal list` shows.
  public init?(argument: String) { self.init(argument) }
}
