package com.google.mediapipe.tasks.core

class BaseOptions {
  class Builder {
    fun setModelAssetPath(path: String) = apply { require(path == "campus.tflite") }
    fun build() = BaseOptions()
  }

  companion object {
    fun builder() = Builder()
  }
}
