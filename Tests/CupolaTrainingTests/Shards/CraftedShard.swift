import Cupola

@testable import CupolaTraining

/// Shards that nobody wrote, whose digest is right.
enum CraftedShard {
  /// Changes a shard, with a digest that is right again.
  ///
  /// - Parameter end: what stands behind the digest.
  static func change(
    _ path: String, end: [UInt8] = [], _ edit: (inout SafeTensors) throws -> Void
  ) throws {
    var file = try SafeTensors(bytes: try FileAccess.read(path))
    file.tensors["sha256"] = nil
    try edit(&file)
    let large = ["logits", "features", "thumbnails"]
    let ordered =
      SafeTensors.ordered(file.tensors.filter { !large.contains($0.key) })
      + large.compactMap { name in file.tensors[name].map { (name: name, tensor: $0) } }
    var places: [(name: String, type: String, shape: [Int])] = ordered.map {
      (name: $0.name, type: $0.tensor.type, shape: $0.tensor.shape)
    }
    places.append((name: "sha256", type: "U8", shape: [32]))
    if !end.isEmpty { places.append((name: "end", type: "U8", shape: [end.count])) }
    let head = try SafeTensors.head(places, metadata: file.metadata)
    let bytes = ordered.reduce(into: head) { $0 += $1.tensor.bytes }
    var hash = SHA256()
    hash.update(Array(bytes.dropFirst(8)))
    try FileAccess.write(bytes + hash.digest() + end, to: path)
  }
}
