// What Cupola uses of CoreVideo.

public final class CVBuffer {}
public typealias CVPixelBuffer = CVBuffer
