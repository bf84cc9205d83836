import { compareText } from "../../apimachinery/collections/compare-text.js";
import type { ApiParameter, ApiPath } from "./api-path.js";

/** Moves the parameters that all operations of the path share to the path, sorted by name. Source: kube-openapi, `findCommonParameters`. */
export function withCommonParameters(path: ApiPath): ApiPath {
  const { operations, parameters } = path;
  const [first, ...others] = operations;
  if (first === undefined) return path;
  const common = first.parameters.filter((parameter) =>
    others.every((operation) => operation.parameters.some((other) => isSame(other, parameter))),
  );
  return {
    ...path,
    parameters: byName([...parameters, ...common]),
    operations:
      common.length === 0
        ? operations
        : operations.map((operation) => ({
            ...operation,
            parameters: operation.parameters.filter((one) => !common.some((each) => isSame(each, one))),
          })),
  };
}

function isSame(a: ApiParameter, b: ApiParameter): boolean {
  return a.name === b.name && a.in === b.in;
}

export function byName(parameters: readonly ApiParameter[]): readonly ApiParameter[] {
  return [...parameters].sort((a, b) => compareText(a.name, b.name));
}
