public import Cupola

extension CampusCheck.Photos {
  /// What a folder of photos says about a map: labels but those of unknown buildings, and positions in
  /// EXIF. Photos that cannot be read have no position.
  ///
  /// - Parameter progress: called with the number of photos read.
  public init(
    of set: PhotoSet, decoder: PhotoDecoder, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil
  ) async {
    let positions = await parallelMap(
      set.photos, threads: threads, progress: progress
    ) { photo -> Position? in
      try? photo.opened(by: decoder).metadata.position
    }
    self.init(
      labels: Set(set.photos.lazy.filter { $0.split != .testUnknown }.map(\.label)),
      positions: positions.compactMap(\.self))
  }
}
