import { badRequest } from "../errors/status.js";

/** A value does not fit its type. `message` has Kubernetes' words, one line for each problem. */
export class TypedValueError extends Error {
  override readonly name = "TypedValueError";

  constructor(problems: readonly string[]) {
    super(
      problems.length === 1 ? problems[0] : ["errors:", ...problems.map((text) => `  ${text}`)].join("\n"),
    );
  }
}

/** Throws 400 where an object does not fit the version of a manager. Kubernetes answers 500 with the same message. */
export function refusingMisfits<T>(work: () => T, problem?: string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    throw badRequest(problem === undefined ? error.message : `${problem}: ${error.message}`, error);
  }
}
