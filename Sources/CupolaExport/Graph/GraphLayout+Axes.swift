extension GraphLayout {
  /// Where the channels of a picture stand.
  var channelAxis: Int { self == .channelsFirst ? 1 : 3 }
  /// Where its rows stand.
  var rowAxis: Int { self == .channelsFirst ? 2 : 1 }
  /// Where its columns stand.
  var columnAxis: Int { self == .channelsFirst ? 3 : 2 }

  /// The shape of one picture.
  func shape(channels: Int, height: Int, width: Int) -> [Int] {
    self == .channelsFirst ? [1, channels, height, width] : [1, height, width, channels]
  }
}
