import Cupola
import CupolaTraining

/// Times a model from the bytes of photos to their answers.
struct ModelBenchmark {
  /// A stage and its times.
  struct Stage {
    let name: String
    let times: BenchmarkTimes
    /// Of the time of all stages together.
    let share: Double
  }

  /// The stages, one thread, and all of them together last.
  let stages: [Stage]
  /// From all pixels of a photo to its answer, as of a camera's frame; one thread.
  let frames: BenchmarkTimes
  /// Photos a second by how many are worked on at a time.
  let photosPerSecond: [(threads: Int, photos: Double)]
  /// Photos that were taken off the campus: only their frames are looked at.
  let offCampus: Int

  static let all = "all"

  /// - Parameters:
  ///   - photos: the bytes of files, at least one.
  ///   - repetitions: how often each is asked about.
  ///   - threads: how many photos are worked on at a time at most.
  /// - Throws: ``CupolaError`` when a photo cannot be used, before anything is timed.
  init(_ model: Model, photos: [[UInt8]], repetitions: Int, threads: Int) async throws {
    let recognizer = Recognizer(model: model)
    // Also warms up.
    offCampus = try photos.filter { photo in
      try recognizer.recognize(photo: photo).verdict == .notOnCampus
    }.count
    var times: [StageTiming.Stage: [Double]] = [:]
    var sums: [Double] = []
    for _ in 0..<repetitions {
      for photo in photos {
        let timing = try recognizer.recognize(photo: photo).timing.milliseconds
        for (stage, time) in timing { times[stage, default: []].append(time) }
        sums.append(timing.values.reduce(0, +))
      }
    }
    let all = BenchmarkTimes(sums)
    stages =
      StageTiming.Stage.allCases.compactMap { stage in
        times[stage].map {
          let times = BenchmarkTimes($0)
          return Stage(name: stage.rawValue, times: times, share: times.sum / all.sum)
        }
      } + [Stage(name: Self.all, times: all, share: 1)]
    frames = try Self.frames(recognizer, photos, repetitions)
    photosPerSecond = await Self.rates(
      recognizer, photos, repetitions, upTo: threads)
  }

  private static func frames(
    _ recognizer: Recognizer, _ photos: [[UInt8]], _ repetitions: Int
  ) throws -> BenchmarkTimes {
    var times: [Double] = []
    for photo in photos {
      let frame = try recognizer.decoder.open(photo).image()
      _ = try recognizer.recognize(frame)
      for _ in 0..<repetitions {
        let start = ContinuousClock.now
        _ = try recognizer.recognize(frame)
        times.append((.now - start).milliseconds)
      }
    }
    return BenchmarkTimes(times)
  }

  /// How often each number of threads has its turn, one after the other: what slows the machine for a while slows both.
  private static let turns = 5

  private static func rates(
    _ recognizer: Recognizer, _ photos: [[UInt8]], _ repetitions: Int, upTo threads: Int
  ) async -> [(threads: Int, photos: Double)] {
    let counts = Set([1, threads]).sorted()
    let work: [[Int]] = counts.map { count in
      (0..<rounds(repetitions, of: photos.count, threads: count)).flatMap { _ in photos.indices }
    }
    var times = counts.map { _ in [Double]() }
    for _ in 0..<turns {
      for (number, count) in counts.enumerated() {
        let start = ContinuousClock.now
        _ = await parallelMap(work[number], threads: count) { photo in
          (try? recognizer.recognize(photo: photos[photo])) != nil
        }
        times[number].append((.now - start).milliseconds)
      }
    }
    return counts.indices.map { number in
      let median = BenchmarkTimes(times[number]).median
      return (threads: counts[number], photos: 1e3 * Double(work[number].count) / median)
    }
  }

  /// How often a turn asks about each photo.
  static func rounds(_ repetitions: Int, of photos: Int, threads: Int) -> Int {
    // Enough work for every thread, so that the last ones to finish do not count for much.
    max(repetitions, 8 * threads / photos)
  }
}
