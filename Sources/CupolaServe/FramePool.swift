#if Serve
  internal import Cupola
  internal import NIOCore
  internal import NIOPosix

  // 1. Queue the work of each connection, with the processing time that the connection has used so far.
  // 2. Run the work of the connection that has used the least time, on a fixed number of threads. Long work leaves one
  //    of them free.

  /// Runs recognition on its own threads, so that it never blocks event loops or the threads of Swift tasks.
  ///
  /// Each connection queues one frame at a time. The order follows start-time fair queuing: a connection that sends few
  /// or small frames does not wait for the backlog of one that sends many or expensive frames. It also does not wait
  /// until an expensive frame is finished, because one thread runs none of them, unless there is only one.
  final class FramePool: Sendable {
    /// The processing time of one connection.
    final class Share: Sendable {
      /// The virtual time at which the last work ended, in milliseconds.
      fileprivate let end = Locked(0.0)
    }

    private struct Work: Sendable {
      let start: Double
      let isLong: Bool
      let run: @Sendable () -> Void
    }

    private struct Queue: Sendable {
      var waiting: [Work] = []
      /// The virtual time: the start of the work that was taken last.
      var time = 0.0
      /// The number of threads that may run long work.
      var longThreads: Int

      mutating func next() -> Work? {
        // Work with equal starts runs in the order of its arrival.
        let first = waiting.indices.filter { longThreads > 0 || !waiting[$0].isLong }
          .min { waiting[$0].start < waiting[$1].start }
        guard let first else { return nil }
        let work = waiting.remove(at: first)
        time = max(time, work.start)
        if work.isLong { longThreads -= 1 }
        return work
      }

      mutating func end(_ work: Work) {
        if work.isLong { longThreads += 1 }
      }
    }

    static let shared = FramePool(threads: System.coreCount)

    private let queue: Locked<Queue>
    private let threads: NIOThreadPool

    init(threads count: Int) {
      queue = Locked(Queue(longThreads: max(1, count - 1)))
      threads = NIOThreadPool(numberOfThreads: count)
      threads.start()
    }

    deinit { threads.shutdownGracefully { _ in } }

    var waitingCount: Int { queue.withLock { $0.waiting.count } }

    /// Runs work when its turn has come. A connection must wait for the result before it adds more work.
    func run<Result: Sendable>(
      for share: Share, isLong: Bool = false, _ body: @escaping @Sendable () -> Result
    ) async -> Result {
      await withCheckedContinuation { continuation in
        let end = share.end.withLock { $0 }
        queue.withLock { queue in
          let start = max(queue.time, end)
          queue.waiting.append(
            Work(start: start, isLong: isLong) {
              let began = ContinuousClock.now
              let result = body()
              let took = (ContinuousClock.now - began).milliseconds
              share.end.withLock { $0 = start + took }
              continuation.resume(returning: result)
            })
        }
        threads.submit { [queue] _ in
          // If only long work was waiting, another thread skipped it while this one ran long work.
          while let work = queue.withLock({ $0.next() }) {
            work.run()
            queue.withLock { $0.end(work) }
          }
        }
      }
    }
  }
#endif
