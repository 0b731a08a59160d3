package com.google.mediapipe.tasks.vision.imageclassifier

import android.content.Context
import com.google.mediapipe.framework.image.MPImage
import com.google.mediapipe.tasks.core.BaseOptions

class Category(private val name: String, private val score: Float) {
  fun categoryName() = name
  fun score() = score
}

class Classifications(private val categories: List<Category>) {
  fun categories() = categories
}

class ClassificationResult(private val categories: List<Category>) {
  fun classifications() = listOf(Classifications(categories))
}

class ImageClassifierResult(private val categories: List<Category>) {
  fun classificationResult() = ClassificationResult(categories)
}

class ImageClassifier {
  class ImageClassifierOptions {
    class Builder {
      fun setBaseOptions(options: BaseOptions) = this
      fun build() = ImageClassifierOptions()
    }

    companion object {
      fun builder() = Builder()
    }
  }

  fun classify(image: MPImage): ImageClassifierResult {
    seen = image
    return ImageClassifierResult(answers)
  }

  fun close() {}

  companion object {
    fun createFromOptions(context: Context, options: ImageClassifierOptions) = ImageClassifier()

    /** The answers of the model and the last image that it classified. */
    var answers = listOf<Category>()
    var seen: MPImage? = null
  }
}
