import Cupola
import CupolaTraining

extension Model {
  /// What a model's file is called, without its folder.
  static func name(ofFile path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Says how to give an older file a digest of all of it; for commands that are run now and then, not for each photo.
  func noteDigest(path: String) {
    guard !isSealed else { return }
    Console.note(
      "note: \(path) is of an older cupola, which would not notice damage to its labels or its map; write it "
        + "anew: cupola model \(VisibleText.line(ShellWord.quoted(path))) -o NEW")
  }
}
