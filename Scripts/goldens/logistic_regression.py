"""Solves a small classification problem with scikit-learn. Writes CupolaTrainingTests/Fixtures/logistic-regression.safetensors.

Cupola's L-BFGS must reach the same optimum as sklearn.linear_model.LogisticRegression (multinomial, lbfgs). The problem has five
overlapping, imbalanced classes, 150 rows and 12 columns. It is convex, so the optimum is unique.

scikit-learn minimizes   C * sum_i w_i * loss_i + |coef|^2 / 2.   The data is not centered or scaled. The intercept is not regularized; its
sum over the classes stays 0, because the search starts at 0. 'balanced' means the weight w = n / (classes * count of the class).

    X float32 [150, 12]    y int32 [150]
    C.K float64 [1]        balanced.K int32 [1], 1 for class_weight='balanced'
    coef.K float32 [5, 12] intercept.K float32 [5]    predictions.K int32 [150]
    coef64.K, intercept64.K  the same in float64

The script prints the largest component of the gradient at each solution, the distance from the solution of a second
solver (Newton), and the smallest margin between the first and second class, which shows how stable the predictions are.
"""
import numpy as np
from sklearn.linear_model import LogisticRegression

from goldens.fixtures import save

CLASSES, COLUMNS, COUNTS = 5, 12, (60, 40, 25, 15, 10)
PROBLEMS = [(1, None), (10, "balanced"), (0.01, None)]

random = np.random.Generator(np.random.PCG64(12))
y = random.permutation(np.repeat(np.arange(CLASSES), COUNTS))
centers = random.normal(0, 0.6, (CLASSES, COLUMNS))
X = (centers[y] + random.normal(0.3, 1, (len(y), COLUMNS))).astype(np.float32)


def solve(C, class_weight, solver):
    model = LogisticRegression(C=C, class_weight=class_weight, solver=solver, tol=1e-12, max_iter=20000)
    return model.fit(X.astype(np.float64), y)


def gradient(model, C, class_weight):
    weight = len(y) / (CLASSES * np.bincount(y))[y] if class_weight else np.ones(len(y))
    residual = C * weight[:, None] * (model.predict_proba(X.astype(np.float64)) - np.eye(CLASSES)[y])
    return np.hstack([residual.T @ X + model.coef_, residual.sum(0)[:, None]])


tensors = {"X": X, "y": y.astype(np.int32)}
for k, (C, class_weight) in enumerate(PROBLEMS):
    model, other = solve(C, class_weight, "lbfgs"), solve(C, class_weight, "newton-cholesky")
    tensors[f"C.{k}"] = np.array([C], np.float64)
    tensors[f"balanced.{k}"] = np.array([class_weight is not None], np.int32)
    tensors[f"predictions.{k}"] = model.predict(X.astype(np.float64)).astype(np.int32)
    for name, value in ("coef", model.coef_), ("intercept", model.intercept_):
        tensors[f"{name}.{k}"] = value.astype(np.float32)
        tensors[f"{name}64.{k}"] = value
    lead = np.diff(np.sort(model.decision_function(X.astype(np.float64)))[:, -2:]).min()
    print(f"C={C} {class_weight}: accuracy {np.mean(tensors[f'predictions.{k}'] == y):.3f},",
          f"gradient {abs(gradient(model, C, class_weight)).max():.1e},",
          f"coef from Newton {abs(model.coef_ - other.coef_).max():.1e},",
          f"intercept {abs(model.intercept_ - other.intercept_ + other.intercept_.mean()).max():.1e},",
          f"sum of intercepts {model.intercept_.sum():.1e}, smallest lead {lead:.1e}")
save("CupolaTrainingTests/Fixtures/logistic-regression.safetensors", tensors)
