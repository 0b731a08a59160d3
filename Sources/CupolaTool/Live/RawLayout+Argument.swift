import ArgumentParser
import CupolaTraining

/// Formats of raw frames are named as ffmpeg does.
extension RawLayout.Format: ExpressibleByArgument {}
