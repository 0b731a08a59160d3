internal import Cupola

extension SettingsSearch {
  /// How many held-out photos of each building the chosen setting named right, by the most probable
  /// building.
  func recall(labels: [Int], names: Labels) -> [String: Provenance.Recall] {
    guard let logits = chosen?.logits else { return [:] }
    var recall: [String: Provenance.Recall] = [:]
    for (row, photo) in photos.enumerated() where names.buildings.contains(labels[photo]) {
      let answer = names.buildings.max { logits[row, $0] < logits[row, $1] }
      var own = recall[names.names[labels[photo]]] ?? Provenance.Recall(right: 0, asked: 0)
      own.asked += 1
      if answer == labels[photo] { own.right += 1 }
      recall[names.names[labels[photo]]] = own
    }
    return recall
  }
}
