#if Serve
  internal import NIOCore
  internal import NIOWebSocket

  /// Asks a page that is silent whether it is still there, which browsers answer by themselves, and closes when nothing
  /// comes. A photo that is looked at says nothing for long, so that silence alone is no reason.
  final class SilentPage: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// From the last frame to the question, and from there to the end.
    static let patience = TimeAmount.seconds(60)

    private var isAsked = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      isAsked = false
      context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard event is IdleStateHandler.IdleStateEvent else {
        return context.fireUserInboundEventTriggered(event)
      }
      guard !isAsked else { return context.close(promise: nil) }
      isAsked = true
      let ping = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
      context.writeAndFlush(Self.wrapOutboundOut(ping), promise: nil)
    }
  }
#endif
