import CupolaTraining
import Synchronization

/// Tells on stderr which step of a training is under way, and how far it is.
final class TrainingSteps: Sendable {
  private let isQuiet: Bool
  private let current = Mutex<(step: TrainingProgress.Step, progress: Progress)?>(nil)

  init(quiet: Bool) { isQuiet = quiet }

  /// Shows how far the training is.
  func update(_ news: TrainingProgress) {
    let progress = current.withLock { current in
      if let current, current.step == news.step { return current.progress }
      let title = "step \(news.number) of \(news.count), \(Self.title(of: news.step))"
      let progress = Progress(title, total: news.total, quiet: isQuiet)
      current = (news.step, progress)
      return progress
    }
    progress.update(news.done)
  }

  private static func title(of step: TrainingProgress.Step) -> String {
    switch step {
    case .learningFeatures: "learning features"
    case .describingPhotos: "describing photos"
    case .choosingSettings: "choosing settings"
    case .leavingBuildingsOut: "leaving buildings out"
    case .fitting: "fitting"
    }
  }
}
