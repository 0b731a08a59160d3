import Cupola

// Fence, orientation and decision are inside.
let recognizer = Recognizer(model: try Model(contentsOf: "campus.safetensors"))
let answer = try recognizer.recognize(photo: jpegBytes)
