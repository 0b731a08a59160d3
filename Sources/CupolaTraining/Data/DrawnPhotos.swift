internal import Cupola
internal import SampleScenes

/// Pictures of things that are no buildings, drawn by Cupola for those who have few or none.
///
/// They make a background label of their own. With them, a model trained without any other background
/// refuses most of what is no building, and one trained with few kinds of it refuses other kinds.
public enum DrawnPhotos {
  /// The label of these pictures.
  public static let label = "_drawn"
  /// How many there are.
  public static let count = 48

  /// Another number leaves what was drawn before behind in caches.
  private static let version = "1"
  private static let tensorName = "jpeg"

  /// Draws them, or finds them in the cache: always the same.
  public static func all(cache: FeatureCache?, threads: Int) async -> [LabelledPhoto] {
    await parallelMap(Array(0..<count), threads: threads) { number in
      photo(number, cache)
    }.compactMap(\.self)
  }

  private static func photo(_ number: Int, _ cache: FeatureCache?) -> LabelledPhoto? {
    let key = FeatureCache.Key(["drawn", cupolaVersion, version, "\(number)"])
    var bytes = cache?.read(key)?.tensors[tensorName]?.bytes
    if bytes == nil, let drawn = try? JPEGEncoder.encode(DrawnNegative.picture(number), quality: 85)
    {
      cache?.write(
        [tensorName: SafeTensors.Tensor(type: "U8", shape: [drawn.count], bytes: drawn)], key)
      bytes = drawn
    }
    let name = label + "/\(number + 1)"
    return bytes.map {
      LabelledPhoto(path: name, name: name, label: label, split: .train, group: nil, contents: $0)
    }
  }
}
