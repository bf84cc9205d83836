import type { FieldPath } from "../../apimachinery/errors/field-error.js";

/** Finds fields of a file that its type does not have, or that appear twice, as a strict decoder does. */
export class StrictFields {
  readonly #repeated: string[] = [];
  readonly #unknown: string[] = [];

  repeated(key: string, line: number): void {
    this.#repeated.push(`line ${line}: key ${JSON.stringify(key)} already set in map`);
  }

  known(fields: Readonly<Record<string, unknown>>, path: FieldPath, names: readonly string[]): void {
    for (const name of Object.keys(fields)) {
      if (!names.includes(name))
        this.#unknown.push(`unknown field ${JSON.stringify(path.child(name).toString())}`);
    }
  }

  get problem(): string | undefined {
    const problems = [
      ...(this.#repeated.length > 0
        ? [`yaml: unmarshal errors:\n${this.#repeated.map((each) => `  ${each}`).join("\n")}`]
        : []),
      ...this.#unknown,
    ];
    return problems.length === 0 ? undefined : `strict decoding error: ${problems.join(", ")}`;
  }
}
