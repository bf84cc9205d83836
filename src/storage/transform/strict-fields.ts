import type { FieldPath } from "../../apimachinery/errors/field-error.js";
import { RepeatedKeys } from "../../apimachinery/yaml/strict-yaml.js";

/** Finds fields of a file that its type does not have, or that appear twice, as a strict decoder does. */
export class StrictFields {
  readonly #repeated = new RepeatedKeys();
  readonly #unknown: string[] = [];

  repeated(key: string, line: number): void {
    this.#repeated.add(key, line);
  }

  known(fields: Readonly<Record<string, unknown>>, path: FieldPath, names: readonly string[]): void {
    for (const name of Object.keys(fields)) {
      if (!names.includes(name))
        this.#unknown.push(`unknown field ${JSON.stringify(path.child(name).toString())}`);
    }
  }

  get problem(): string | undefined {
    const problems = [
      ...(this.#repeated.problem === undefined ? [] : [this.#repeated.problem]),
      ...this.#unknown,
    ];
    return problems.length === 0 ? undefined : `strict decoding error: ${problems.join(", ")}`;
  }
}
