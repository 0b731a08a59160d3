import Synchronization
import Testing

@testable import CupolaTraining

@Suite("Parallel map")
struct ParallelMapTests {
  @Test("Results have the order of the inputs", arguments: [1, 2, 7, 64])
  func order(threads: Int) async {
    let inputs = (0..<200).map { ($0 * 7919) % 200 }
    let results = await parallelMap(inputs, threads: threads) { input in
      (0..<(200 - input) * 100).reduce(input) { sum, number in sum ^ number ^ number }
    }
    #expect(results == inputs)
  }

  @Test("An empty list yields an empty list")
  func empty() async {
    #expect(await parallelMap([Int](), threads: 3) { $0 }.isEmpty)
  }

  @Test("Results that are nil keep their places")
  func optionals() async {
    let results = await parallelMap([0, 1, 2, 3], threads: 2) { $0 % 2 == 0 ? $0 : nil }
    #expect(results == [0, nil, 2, nil])
  }

  @Test("Concurrent calls never exceed the thread count", arguments: [1, 2, 3])
  func bounded(threads: Int) async {
    let state = Mutex((now: 0, most: 0))
    _ = await parallelMap(Array(0..<100), threads: threads) { input in
      state.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
      let result = (0..<1000).reduce(input, ^)
      state.withLock { $0.now -= 1 }
      return result
    }
    #expect(state.withLock(\.most) <= threads)
    #expect(state.withLock(\.now) == 0)
  }

  @Test("Progress counts up to the number of inputs")
  func progress() async {
    let told = Mutex([Int]())
    _ = await parallelMap(
      Array(0..<20), threads: 4, progress: { done in told.withLock { $0.append(done) } },
      { $0 })
    #expect(told.withLock { $0 } == Array(1...20))
  }
}

@Suite("Thinned arrays") struct ArrayThinnedTests {
  @Test("Thinning keeps both ends")
  func thinned() {
    #expect(Array(0..<10).thinned(to: 4) == [0, 3, 6, 9])
    #expect([1, 2].thinned(to: 4) == [1, 2])
    #expect(Array(0..<1000).thinned(to: 200).count == 200)
  }

  @Test("A sample starts with the first element and is evenly spaced")
  func sampled() {
    #expect(Array(0..<10).sampled(to: 4) == [0, 2, 5, 7])
    #expect([1, 2].sampled(to: 4) == [1, 2])
    #expect([Int]().sampled(to: 4) == [] && [1, 2].sampled(to: 0) == [])
  }
}
