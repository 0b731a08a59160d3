import CupolaTestSupport
import Foundation
import Testing

enum RealFeeds {
  static let folder = Repository.root.appending(path: "../shared/data/guide/transit")
  static let exist = Repository.exists(folder)
  static let missingReason: Comment = "the real schedules are not next to the repository"

  static func path(_ name: String) -> String {
    folder.appending(path: name).standardizedFileURL.path
  }
}
