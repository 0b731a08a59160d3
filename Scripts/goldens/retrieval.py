"""Computes product quantization and retrieval with faiss. Writes CupolaTests/Fixtures/retrieval.safetensors.

The retrieval classifier must compute, decode and search codes as faiss does, following Jegou, Douze & Schmid (TPAMI 2011). The search is
asymmetric: the query is exact, and the database is decoded from codes. The logits must be the logarithms of kernel density estimates, and
the queries must be projections of length 1.

    centroids            float32 [8, 16, 4]: 16 centroids of 4 values per part, by ProductQuantizer.train
    vectors              float32 [360, 32]: of length 1, in 12 overlapping clusters
    labels               int32 [360], ascending: the cluster of each vector; 20 to 90 vectors per label
    codes                uint8 [360, 8]: the nearest centroid of each part, one byte each
    decoded              float32 [360, 32]: ProductQuantizer.decode of the codes
    queries              float32 [20, 32]: of length 1, from the same clusters
    neighbors            int32 [20, 10]: rows of the codes nearest by inner product, in order, by faiss.IndexPQ
    similarities         float32 [20, 10]: their inner products, by faiss.IndexPQ
    logits               float32 [20, 12]: log(mean(exp(24 * <query, decoded>))) over each label's vectors, by SciPy
    projection.weights   float16 [32, 50]
    projection.offset    float32 [32]
    features             float32 [20, 50]
    projected            float32 [20, 32]: weights @ features + offset, divided by its L2 norm

Codes, neighbors and decoded vectors must be exactly equal. Therefore, vectors and queries with ambiguous neighbors (a margin below 2e-5)
are drawn again. NumPy in double precision produces the same codes and neighbors. Logits and projections are computed in double precision
from the stored values; similarities are computed by faiss in single precision. Cupola's values differ by about 1e-6, and logits, which are
24 times as large, by about 1e-5. The script prints the smallest margins and the error from single precision.
"""
import faiss
import numpy as np
from scipy.special import logsumexp

from goldens.fixtures import save

PARTS, BITS, WIDTH = 8, 4, 4
CENTROIDS, DIMENSIONS = 2**BITS, PARTS * WIDTH
COUNTS = (20, 24, 90, 21, 33, 26, 20, 28, 22, 31, 25, 20)
QUERIES, NEIGHBORS, FEATURES = 20, 10, 50
CONCENTRATION, SPREAD, LEAD = 24, 0.2, 2e-5
random = np.random.Generator(np.random.PCG64(2011))
centers = random.normal(0, 1, (len(COUNTS), DIMENSIONS))
centers /= np.linalg.norm(centers, axis=1, keepdims=True)


def single(array):
    return np.asarray(array, np.float32)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def around(labels):
    """Return one vector of length 1 from each label's cluster."""
    return single(unit(centers[labels] + SPREAD * random.normal(0, 1, (len(labels), DIMENSIONS))))


def distances(rows):
    """Return squared distances of each part of each row to the centroids, in double precision: [rows, parts, centroids]."""
    own = rows.astype(np.float64).reshape(-1, PARTS, 1, WIDTH)
    return ((own - centroids.astype(np.float64)) ** 2).sum(-1)


def lead(ascending):
    """Return the smallest increase between consecutive values of the last axis, for each row."""
    return np.diff(ascending).reshape(len(ascending), -1).min(1)


def code_lead(rows):
    """Return the smallest margin between the nearest and the second centroid."""
    return lead(np.sort(distances(rows))[..., :2])


def products(rows):
    return rows.astype(np.float64) @ decoded.astype(np.float64).T


def neighbor_lead(rows):
    """Return the smallest margin between consecutive neighbors, up to the eleventh."""
    return lead(np.sort(products(rows))[:, -NEIGHBORS - 1:])


def drawn(label, count, lead):
    """Return vectors of a label whose margins are large enough."""
    rows = around(np.full(count + 20, label))
    kept = rows[lead(rows) > LEAD][:count]
    assert len(kept) == count
    return kept


quantizer = faiss.ProductQuantizer(DIMENSIONS, PARTS, BITS)
quantizer.cp.seed = 2011
quantizer.train(around(random.integers(0, len(COUNTS), 4000)))
centroids = faiss.vector_to_array(quantizer.centroids).reshape(PARTS, CENTROIDS, WIDTH)

labels = np.repeat(np.arange(len(COUNTS)), COUNTS)
vectors = np.concatenate([drawn(label, count, code_lead) for label, count in enumerate(COUNTS)])
index = faiss.IndexPQ(DIMENSIONS, PARTS, BITS, faiss.METRIC_INNER_PRODUCT)
index.pq, index.is_trained, index.search_type = quantizer, True, faiss.IndexPQ.ST_PQ
index.add(vectors)
# faiss packs two 4-bit codes into a byte.
packed = faiss.vector_to_array(index.codes).reshape(len(vectors), -1)
codes = distances(vectors).argmin(-1).astype(np.uint8)
decoded = quantizer.decode(packed)
assert packed.shape[1] == PARTS * BITS // 8 and np.array_equal(packed, quantizer.compute_codes(vectors))
assert np.array_equal(codes, faiss.unpack_bitstrings(packed, PARTS, BITS))
assert np.array_equal(decoded, centroids[np.arange(PARTS), codes].reshape(-1, DIMENSIONS))
# Two vectors with equal codes would be equally near to all queries.
assert len(np.unique(codes, axis=0)) == len(codes)

# Each label is queried at least once.
asked = np.arange(QUERIES) % len(COUNTS)
queries = np.concatenate([drawn(label, 1, neighbor_lead) for label in asked])
similarities, neighbors = index.search(queries, NEIGHBORS + 1)
exact = products(queries)
assert np.array_equal(neighbors, np.argsort(-exact)[:, :NEIGHBORS + 1])
assert (lead(-similarities) > 1e-5).all()
similarities, neighbors = similarities[:, :NEIGHBORS], neighbors[:, :NEIGHBORS]
similarity_loss = abs(similarities - np.take_along_axis(exact, neighbors, 1)).max()


def logits(scores):
    return np.stack([logsumexp(scores[:, labels == label], axis=1) - np.log(count)
                     for label, count in enumerate(COUNTS)], axis=1)


expected = logits(CONCENTRATION * exact)
logit_loss = abs(logits(np.float32(CONCENTRATION) * (queries @ decoded.T)) - expected).max()

weights = random.normal(0, 0.2, (DIMENSIONS, FEATURES)).astype(np.float16)
offset = single(random.normal(0, 0.5, DIMENSIONS))
features = single(random.normal(0, 1, (QUERIES, FEATURES)))
projected = unit(features.astype(np.float64) @ weights.astype(np.float64).T + offset)
projected_loss = abs(unit(features @ single(weights).T + offset) - projected).max()

save("CupolaTests/Fixtures/retrieval.safetensors", {
    "centroids": centroids, "vectors": vectors, "labels": labels.astype(np.int32), "codes": codes, "decoded": decoded,
    "queries": queries, "neighbors": neighbors.astype(np.int32), "similarities": similarities,
    "logits": single(expected),
    "projection.weights": weights, "projection.offset": offset, "features": features, "projected": single(projected),
})
leads = code_lead(vectors).min(), neighbor_lead(queries).min()
print("smallest margins: centroids {:.1e}, neighbors {:.1e};".format(*leads),
      f"single precision loses {similarity_loss:.1e} of similarities, {logit_loss:.1e} of logits,",
      f"{projected_loss:.1e} of projections")
used = sum(len(np.unique(part)) for part in codes.T)
own = np.mean(labels[neighbors] == asked[:, None]), np.mean(expected.argmax(1) == asked)
print(f"{used} of {PARTS * CENTROIDS} centroids in use;",
      f"similarities {similarities.min():.2f} to {similarities.max():.2f},",
      f"logits {expected.min():.1f} to {expected.max():.1f};",
      "{:.0%} of neighbors and {:.0%} of largest logits are of the query's own label".format(*own))
