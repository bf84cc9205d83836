/** A value does not fit its type. `message` has Kubernetes' words, one line for each problem. */
export class TypedValueError extends Error {
  override readonly name = "TypedValueError";

  constructor(problems: readonly string[]) {
    super(
      problems.length === 1 ? problems[0] : ["errors:", ...problems.map((text) => `  ${text}`)].join("\n"),
    );
  }
}
