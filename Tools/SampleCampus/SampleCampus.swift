#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Renders the sample training data, or the images that are included in Cupola.
@main struct SampleCampus {
  private static let usage = """
    usage: SampleCampus <folder>            the sample campus: photos, maps and split table
           SampleCampus --pictures <file>   the pictures for Sources/CDrawnPictures
    """

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.count {
    case 1:
      let folder = URL(fileURLWithPath: arguments[0], isDirectory: true)
      for file in try SampleCampusFiles.all() {
        let url = folder.appendingPathComponent(file.path)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: url)
      }
    case 2 where arguments[0] == "--pictures":
      try Data(DrawnNegative.file()).write(to: URL(fileURLWithPath: arguments[1]))
    default: print(usage)
    }
  }
}
