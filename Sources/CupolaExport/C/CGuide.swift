/// How a C export is used: a section of an export's `README.md`.
enum CGuide {
  /// Markdown, with a complete program.
  static var text: String {
    """
    Put `\(CSource.headerName)` and `\(CSource.sourceName)` into your program. They are C99, hold the model with all its
    numbers, and need nothing but the library of mathematical functions. Nothing is allocated: all memory is in a
    `struct cupola_workspace`, one a thread, whose `sizeof` says how much it is.

    ```sh
    cc -O3 -c \(CSource.sourceName)    # faster yet with -march=native, or what your processor is
    cc main.c cupola.o -lm -o name-building
    ```

    - Any decoder will do; `cupola_resize` then makes the same square as Cupola itself, byte by byte.
    - Turn pictures upright first, as the orientation in their EXIF says, and give them as red, green, blue.
    - `cupola_fence_contains` wants latitude, then longitude. Ask it first: off the campus the picture need not be
      looked at.
    - `cupola_labels` are the model's labels, `cupola_names` what people call the buildings; label 0 is all that is
      no building of the campus.
    - `-ffast-math` is not for this: it may lose small numbers.

    ```c
    \(String(decoding: CSource.example, as: UTF8.self))```

    """
  }
}
