// A stub of onnxruntime-web. The program that imports it computes the answers.
export class Tensor {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
}
export const InferenceSession = {
  create: async (path) => {
    if (!path.endsWith("/campus.onnx")) throw Error(path);
    return { run: async (inputs) => globalThis.runModel(inputs) };
  },
};
