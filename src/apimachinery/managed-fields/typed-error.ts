/** A value that does not fit its type. `message` is Kubernetes'; several problems are listed on lines. */
export class TypedValueError extends Error {
  override readonly name = "TypedValueError";
  constructor(problems: readonly string[]) {
    super(
      problems.length === 1 ? problems[0] : ["errors:", ...problems.map((text) => `  ${text}`)].join("\n"),
    );
  }
}
