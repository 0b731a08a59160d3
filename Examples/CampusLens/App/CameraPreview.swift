import AVFoundation
import CoreGraphics
import SwiftUI
import UIKit

/// The camera's image at its full frame rate.
struct CameraPreview: UIViewRepresentable {
  let session: AVCaptureSession

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView(frame: .zero)
    view.video.session = session
    view.layer.addSublayer(view.video)
    return view
  }

  func updateUIView(_ view: PreviewView, context: Context) {}

  final class PreviewView: UIView {
    let video = AVCaptureVideoPreviewLayer()

    override func layoutSubviews() {
      super.layoutSubviews()
      video.frame = bounds
    }
  }
}
