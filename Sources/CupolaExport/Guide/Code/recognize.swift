import Cupola

// The recognizer checks the fence, rotates the photo and applies the thresholds.
let recognizer = Recognizer(model: try Model(contentsOf: "campus.safetensors"))
let answer = try recognizer.recognize(photo: jpegBytes)
