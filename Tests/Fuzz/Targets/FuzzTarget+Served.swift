#if Serve
  import CupolaCampus
  import Foundation
  import NIOCore
  import NIOWebSocket

  @testable import Cupola
  @testable import CupolaGuide
  @testable import CupolaServe
  @testable import CupolaTours
#endif

/// Targets for requests and messages to `cupola serve`.
extension FuzzTarget {
  #if Serve
    static let served: [FuzzTarget] = [
      FuzzTarget("live-message") { bytes in _ = LiveMessage(bytes) },
      FuzzTarget("request") { bytes in
        guard let server, let request = request(bytes) else { return }
        _ = FuzzTask.result {
          if case .file(let path, let range) = await server.respond(to: request).body {
            _ = try? FileAccess.read(path, bytes: range)
          }
          _ = request.client(behind: [])
        }
      },
      FuzzTarget("frame") { bytes in
        let folder = FuzzFolder()
        defer { folder.remove() }
        let socket = LiveSocket(
          recognizer: Recognizer(model: try FuzzModel.model()),
          collector: FrameCollector(folder: folder.path), pageLimit: ConnectionLimit(1))
        let answers = FuzzTask.result {
          let (page, sink) = AsyncStream.makeStream(of: WebSocketFrame.self)
          for frame in frames(bytes) { sink.yield(frame) }
          sink.finish()
          let said = Locked<[WebSocketFrame]>([])
          await socket.converse(page) { frame in said.withLock { $0.append(frame) } }
          return said.withLock { $0 }
        }
        for answer in answers ?? [] {
          try FuzzFailure.unless(
            answer.opcode == .text
              ? (try? JSONReader.value(of: Array(answer.data.readableBytesView))) != nil
              : answer.length <= 125, "\(answer.opcode) of \(answer.length) bytes")
        }
      },
    ]

    /// Parses frames as in RFC 6455 without masking keys. A length of 127 means the rest of the input.
    private static func frames(_ bytes: [UInt8]) -> [WebSocketFrame] {
      var rest = bytes[...]
      var frames: [WebSocketFrame] = []
      while let head = rest.popFirst(), let length = rest.popFirst() {
        var count = Int(length & 0x7F)
        if count == 127 { count = rest.count }
        if count == 126, let high = rest.popFirst(), let low = rest.popFirst() {
          count = Int(high) << 8 | Int(low)
        }
        var frame = WebSocketFrame(
          fin: head & 0x80 != 0, maskKey: [0, 0, 0, 0], data: ByteBuffer(bytes: rest.prefix(count)))
        frame.reservedBits = WebSocketFrame.ReservedBits(rawValue: head & 0x70)
        WebSocketOpcode(encodedWebSocketOpcode: head & 0x0F).map { frame.opcode = $0 }
        frames.append(frame)
        rest = rest.dropFirst(count)
      }
      return frames
    }

    /// Parses method and target, headers and body as in HTTP/1.1.
    private static func request(_ bytes: [UInt8]) -> ServedRequest? {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let head = lines.prefix { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
      let start = (head.first ?? "").split(separator: " ").map(String.init)
      guard start.count == 2 else { return nil }
      var headers: [(name: String, value: String)] = []
      for line in head.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { continue }
        headers.append((parts[0], parts[1].trimmed))
      }
      let body = lines.dropFirst(head.count + 1).joined(separator: [UInt8(ascii: "\n")])
      return ServedRequest(
        start[0], target: start[1], headers: HeaderFields(headers), body: Array(body))
    }

    /// A server with a guide, a tour that requires a passkey, and the token `t`.
    private static let server: LiveServer? = {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let model = root.appending(path: "Models/sample-campus.safetensors").path
      let folder = FuzzFolder("served")
      guard let model = try? Model(contentsOf: model),
        (try? folder.fill(["tour.json": tour, "keys.json": keys])) != nil
      else { return nil }
      _ = try? GuideBundle.write(
        parts: ["a.bin": [1, 2, 3, 4]], name: "Campus", to: folder.path + "/campus.guide")
      var options = LiveServer.Options()
      options.token = "t"
      options.guide = try? ServedGuide(folder: folder.path + "/campus.guide")
      options.tours = try? ServedTours(
        tours: [folder.path + "/tour.json"], keys: [folder.path + "/keys.json"])
      return LiveServer(Recognizer(model: model), options)
    }()

    private static let tour = Array(
      """
      {"format": "cupola.tour/1", "id": "walk", "title": {"en": "Walk"}, "languages": ["en"],
       "passkey": true, "order": "free", "stops": [
         {"id": "a", "title": {"en": "A"}, "latitude": 48.3, "longitude": 10.9, "radius": 20}]}
      """.utf8)

    private static let keys: [UInt8] = {
      var generator = Numbers()
      return PasskeySet.make(count: 2, tour: "walk", using: &generator).set.json
    }()

    private struct Numbers: RandomNumberGenerator {
      var last: UInt64 = 0

      mutating func next() -> UInt64 {
        last = last &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return last
      }
    }
  #else
    static let served: [FuzzTarget] = []
  #endif
}
