/// Why opening hours cannot be read, and where.
public struct OpeningHoursProblem: Hashable, Sendable {
  /// Unicode scalars before the place of the problem.
  public let offset: Int
  /// What is wrong and what to write instead, in one line.
  public let message: String
}

extension OpeningHoursProblem: Error {}

extension OpeningHoursProblem: CustomStringConvertible {
  /// The place, counted from 1, and the message.
  public var description: String { "character \(offset + 1): \(message)" }
}
