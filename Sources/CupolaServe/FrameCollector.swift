#if Serve
  internal import Cupola
  internal import CupolaTraining

  /// Keeps frames as training photos, in folders of a folder.
  final class FrameCollector: Sendable {
    private let folder: String
    /// How many were kept, by label.
    private let counts = Locked<[String: Int]>([:])

    /// Why a frame is not kept.
    enum Refusal: Error {
      case badLabel
      /// One that Cupola keeps for itself: `cupola train` would refuse the whole folder.
      case ownLabel
      case file(FileError)
    }

    init(folder: String) { self.folder = folder }

    /// Keeps a photo; returns how many of its label were kept.
    func keep(_ jpeg: [UInt8], label: String) throws(Refusal) -> Int {
      guard Labels.isFolderName(label) else { throw .badLabel }
      guard !Trainer.ownLabels.contains(label) else { throw .ownLabel }
      do throws(FileError) {
        let place = folder + "/" + label
        try Directory.createAll(place)
        try FileAccess.write(jpeg, to: Self.free(in: place))
        return counts.withLock { counts in
          counts[label, default: 0] += 1
          return counts[label] ?? 1
        }
      } catch { throw .file(error) }
    }

    /// By a number that no two draw.
    private static func free(in place: String) -> String {
      var generator = SystemRandomNumberGenerator()
      while true {
        let path = "\(place)/live-\(String(generator.next(), radix: 36)).jpg"
        if !Directory.exists(path) { return path }
      }
    }
  }
#endif
