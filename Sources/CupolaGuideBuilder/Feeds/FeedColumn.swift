/// The columns of a file that are read, with numbers from 0.
protocol FeedColumn: RawRepresentable<Int>, CaseIterable {
  static var file: FeedFile { get }
  /// Their names in the header, in the order of the numbers.
  static var names: [String] { get }
  /// Those without which no row means anything.
  static var required: [Self] { get }
}
