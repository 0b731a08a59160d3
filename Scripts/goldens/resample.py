"""Resizes small images with exact integer arithmetic. Writes CupolaTests/Fixtures/resample.safetensors.

Cupola's resampler is specified exactly, so the test requires equal results. The reference implements the specification with Python's
unlimited integers. Along an axis that is resized from W to N samples, output j consists of

    W >= N   area average: source i weighs the overlap of [i*N, (i+1)*N) and [j*W, (j+1)*W); the weights sum to W
    W < N    linear between half-pixel centers: p = (2j+1)*W - N, i = floor(p / 2N), f = p - 2N*i;
             sources i and i+1, clamped to the ends, weigh 2N-f and f; the weights sum to 2N

and the result is floor(sum / (Sx*Sy) + 1/2), over both axes at once, for each channel.

    source.K uint8 [h, w, 3]    resized.K uint8 [n, m, 3]

If OpenCV is installed, the script prints the largest difference from INTER_AREA for sizes at which both axes shrink.
"""
import numpy as np

from goldens.fixtures import save

# source height x width, result height x width
CASES = [
    ((13, 17), (5, 7)),     # down, by a fraction
    ((12, 16), (6, 8)),     # down, exactly 2
    ((9, 11), (9, 11)),     # same size
    ((5, 6), (11, 16)),     # up
    ((14, 5), (6, 12)),     # down in y, up in x
    ((4, 15), (9, 7)),      # up in y, down in x
    ((1, 1), (4, 3)),       # one sample
    ((1, 9), (3, 4)),       # one row
    ((31, 23), (1, 1)),     # to one sample
    ((10, 10), (9, 11)),    # by one sample
]


def axis(W, N):
    """Return the (source, weight) pairs for each of N outputs, and the sum of the weights."""
    if W >= N:
        overlap = lambda i, j: max(0, min((i + 1) * N, (j + 1) * W) - max(i * N, j * W))
        return [[(i, overlap(i, j)) for i in range(W) if overlap(i, j)] for j in range(N)], W
    outputs = []
    for j in range(N):
        i, f = divmod((2 * j + 1) * W - N, 2 * N)
        outputs.append([(min(max(i, 0), W - 1), 2 * N - f), (min(max(i + 1, 0), W - 1), f)])
    return outputs, 2 * N


def resize(source, n, m):
    rows, sum_y = axis(source.shape[0], n)
    columns, sum_x = axis(source.shape[1], m)
    total = sum_x * sum_y
    pixels = source.tolist()
    return np.array([[[(2 * sum(v * u * pixels[y][x][c] for y, v in row for x, u in column) + total) // (2 * total)
                       for c in range(3)] for column in columns] for row in rows], np.uint8)


tensors = {}
for k, ((h, w), (n, m)) in enumerate(CASES):
    random = np.random.Generator(np.random.PCG64(k))
    source = random.integers(0, 256, (h, w, 3)).astype(np.uint8)
    resized = resize(source, n, m)
    tensors[f"source.{k}"], tensors[f"resized.{k}"] = source, resized
    try:
        import cv2
    except ImportError:
        continue
    if h >= n and w >= m:
        area = cv2.resize(source, (m, n), interpolation=cv2.INTER_AREA).reshape(n, m, 3)
        print(f"{w}x{h} to {m}x{n}: largest difference from OpenCV: {abs(area.astype(int) - resized).max()}")
save("CupolaTests/Fixtures/resample.safetensors", tensors)
