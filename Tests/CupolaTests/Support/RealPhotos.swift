import CupolaTestSupport
import Foundation
import Testing

/// Third-party photos outside the repository, in `CUPOLA_DATA` or `../shared/data`.
enum RealPhotos {
  static let folder: URL? = {
    let variable = ProcessInfo.processInfo.environment["CUPOLA_DATA"]
    let folder =
      variable.map { URL(filePath: $0) } ?? Repository.root.appending(path: "../shared/data")
    return Repository.exists(folder.appending(path: "README.md")) ? folder : nil
  }()

  static let isPresent = folder != nil
  static let missing: Comment = "needs the real photos: set CUPOLA_DATA to their folder"
}
