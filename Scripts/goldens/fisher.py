"""Computes PCA, a Gaussian mixture and a Fisher vector. Writes CupolaTests/Fixtures/fisher.safetensors and
CupolaTrainingTests/Fixtures/fisher.safetensors.

The `fisher` features must match scikit-learn's PCA and GaussianMixture (diagonal covariances), and the formulas of Perronnin,
Sanchez & Mensink (ECCV 2010) for the Fisher vector.

CupolaTests (encoding):

    weights, means, variances   float32 [8], [8, 6], [8, 6]: a mixture
    rows                        float32 [300, 6]
    posteriors                  float32 [300, 8], GaussianMixture.predict_proba
    log_likelihood              float32 [1], GaussianMixture.score: the mean over the rows
    vector                      float32 [96]: for each component its mean gradients, then for each its variance
                                gradients; signed square roots; L2 norm 1
    patch_weights               float32 [300], 0 to 1: the weight of each row; some are 0
    vector.weighted             the vector of the weighted rows
    vector.flattened            the same; before the final norm, the part of each component (means and variances) is
                                divided by its own L2 norm to the power of 0.7

CupolaTrainingTests (fits):

    pca.rows                    float32 [250, 24]
    pca.projection              float32 [10, 24]: components, divided by the square root of their mean variance
    pca.projected               float32 [250, 10]: the centered rows, projected with it
    em.rows                     float32 [300, 6]
    em.K.weights, .means, .variances    the mixture after K steps of EM, K = 0 (start), 1 and 40; each step adds 0.0001
                                to all variances (reg_covar)
    em.log_likelihood           float32 [2]: at the start and after 40 steps

The references compute in double precision from rows and mixtures in single precision, so Cupola's results differ from them by about 1e-4.
The signs of PCA components are arbitrary. The script prints the differences between the kept variances, and the size of the last EM step.
"""
import warnings

import numpy as np
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from goldens.fixtures import save

warnings.simplefilter("ignore", ConvergenceWarning)
COMPONENTS, DIMENSIONS, FLOOR, STEPS = 8, 6, 1e-4, 40
random = np.random.Generator(np.random.PCG64(2010))
weighing = np.random.Generator(np.random.PCG64(2013))


def single(array):
    return np.asarray(array, np.float32)


def clusters(count):
    """Return rows from overlapping clusters of different sizes and widths."""
    centers = random.normal(0, 1.5, (COMPONENTS, DIMENSIONS))
    widths = random.uniform(0.3, 1.2, (COMPONENTS, DIMENSIONS))
    own = random.choice(COMPONENTS, count, p=np.arange(1, COMPONENTS + 1) / 36)
    return single(centers[own] + widths[own] * random.normal(0, 1, (count, DIMENSIONS)))


def start(rows):
    """Return an approximate mixture, similar to the result of k-means."""
    chosen = random.choice(len(rows), COMPONENTS, replace=False)
    weights = random.uniform(0.5, 1.5, COMPONENTS)
    variances = rows.var(0) * random.uniform(0.3, 0.8, (COMPONENTS, DIMENSIONS))
    return single(weights / weights.sum()), single(rows[chosen]), single(variances)


def model(mixture, steps):
    weights, means, variances = (part.astype(np.float64) for part in mixture)
    return GaussianMixture(COMPONENTS, covariance_type="diag", reg_covar=FLOOR, tol=0, max_iter=steps, n_init=1,
                           weights_init=weights / weights.sum(), means_init=means, precisions_init=1 / variances)


def fitted(mixture, rows, steps):
    """Return scikit-learn's mixture after a number of EM steps; for 0 steps, set its attributes directly."""
    gmm = model(mixture, max(1, steps))
    if steps:
        return gmm.fit(rows.astype(np.float64))
    gmm.weights_, gmm.means_, gmm.covariances_ = (part.astype(np.float64) for part in mixture)
    gmm.weights_ /= gmm.weights_.sum()
    gmm.precisions_cholesky_ = 1 / np.sqrt(gmm.covariances_)
    return gmm


def fisher_vector(gmm, rows, weights=None, flattening=0):
    """Return the Fisher vector of weighted rows."""
    z = rows.astype(np.float64)
    counts = np.ones(len(rows)) if weights is None else weights.astype(np.float64)
    q, m, v, w = gmm.predict_proba(z), gmm.means_, gmm.covariances_, gmm.weights_
    q, n = q * counts[:, None], counts.sum()
    mean, variance = np.zeros_like(m), np.zeros_like(m)
    for k in range(COMPONENTS):
        u = (z - m[k]) / np.sqrt(v[k])
        mean[k] = (q[:, k, None] * u).sum(0) / (n * np.sqrt(w[k]))
        variance[k] = (q[:, k, None] * (u * u - 1)).sum(0) / (n * np.sqrt(2 * w[k]))
    parts = np.stack([mean, variance])
    parts = np.sign(parts) * np.sqrt(np.abs(parts))
    parts /= np.linalg.norm(parts, axis=(0, 2), keepdims=True) ** flattening
    return (parts / np.linalg.norm(parts)).ravel()


rows = clusters(300)
mixture = start(rows)
gmm = fitted(mixture, rows, 0)
patch_weights = single(np.clip(weighing.uniform(-0.3, 1.3, len(rows)), 0, 1))
save("CupolaTests/Fixtures/fisher.safetensors", {
    "weights": mixture[0], "means": mixture[1], "variances": mixture[2], "rows": rows,
    "posteriors": single(gmm.predict_proba(rows.astype(np.float64))),
    "log_likelihood": single([gmm.score(rows.astype(np.float64))]),
    "vector": single(fisher_vector(gmm, rows)),
    "patch_weights": patch_weights,
    "vector.weighted": single(fisher_vector(gmm, rows, patch_weights)),
    "vector.flattened": single(fisher_vector(gmm, rows, patch_weights, 0.7)),
})

# From one direction to the next, the variance decreases by a fifth. The directions are rotated at random, and the mean is not 0.
turn = np.linalg.qr(random.normal(0, 1, (24, 24)))[0]
pca_rows = single(random.normal(0, 1, (250, 24)) * 2 * 0.8 ** np.arange(24) @ turn + random.normal(0, 1, 24))
pca = PCA(10, svd_solver="full").fit(pca_rows.astype(np.float64))
scale = np.sqrt(pca.explained_variance_.mean())
tensors = {
    "pca.rows": pca_rows, "pca.projection": single(pca.components_ / scale),
    "pca.projected": single(pca.transform(pca_rows.astype(np.float64)) / scale),
    "em.rows": rows,
}
for steps in 0, 1, STEPS:
    gmm = fitted(mixture, rows, steps)
    for name, value in ("weights", gmm.weights_), ("means", gmm.means_), ("variances", gmm.covariances_):
        tensors[f"em.{steps}.{name}"] = single(value)
scores = [fitted(mixture, rows, steps).score(rows.astype(np.float64)) for steps in (0, STEPS - 1, STEPS)]
tensors["em.log_likelihood"] = single([scores[0], scores[2]])
save("CupolaTrainingTests/Fixtures/fisher.safetensors", tensors)
ratios = pca.explained_variance_[1:] / pca.explained_variance_[:-1]
print(f"PCA: variances fall to at most {ratios.max():.3f} of the one before;",
      f"EM: log-likelihood {scores[0]:.4f}, {scores[2]:.6f} after {STEPS} steps, the last gained {scores[2] - scores[1]:.1e}")
