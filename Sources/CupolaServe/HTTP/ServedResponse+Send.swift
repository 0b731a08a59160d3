#if Serve
  internal import Foundation
  internal import NIOCore
  internal import NIOHTTP1

  extension ServedResponse.Body {
    /// Bytes that are in memory for who reads slowly.
    private static let pieceBytes = 1 << 16

    /// That a file became shorter while it was sent.
    private struct Cut: Error {}

    /// Sends it piece by piece, the next one when the one before is on its way.
    ///
    /// - Parameter time: how long the other side may take for a piece.
    func send(to channel: any Channel, within time: TimeAmount) async throws {
      // The head alone is on its way, too, before the next request is read: else who asks much by HEAD and reads nothing
      // had all answers kept here.
      if count == 0 { try await Self.send(ByteBuffer(), to: channel, within: time) }
      switch self {
      case .bytes(let bytes):
        for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
          let piece = bytes[start..<min(start + Self.pieceBytes, bytes.count)]
          try await Self.send(ByteBuffer(bytes: piece), to: channel, within: time)
        }
      case .file(let path, let range):
        // One handle for all pieces: a file that is replaced meanwhile is sent as it was.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(range.lowerBound))
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceBytes) {
          let count = min(Self.pieceBytes, range.upperBound - start)
          guard let piece = try file.read(upToCount: count), piece.count == count else {
            throw Cut()
          }
          try await Self.send(ByteBuffer(bytes: piece), to: channel, within: time)
        }
      }
    }

    private static func send(
      _ piece: ByteBuffer, to channel: any Channel, within time: TimeAmount
    ) async throws {
      let deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
      defer { deadline.cancel() }
      try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(piece)))
    }
  }
#endif
