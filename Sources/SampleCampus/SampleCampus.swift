import SampleScenes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Draws the sample training data into the folder given as the only argument.
@main struct SampleCampus {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: SampleCampus <folder>")
      return
    }
    let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    for file in try SampleCampusFiles.all() {
      let url = folder.appendingPathComponent(file.path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.bytes).write(to: url)
    }
  }
}
