import type { JsonValue } from "../json/json-value.js";
import { parseYaml } from "./parse-yaml.js";

/** The keys that a document sets more than once, and the error that names them as Go's YAML library does. */
export class RepeatedKeys {
  readonly #lines: string[] = [];

  readonly add = (key: string, line: number): void => {
    this.#lines.push(`line ${line}: key ${JSON.stringify(key)} already set in map`);
  };

  /** Undefined without any. */
  get problem(): string | undefined {
    if (this.#lines.length === 0) return undefined;
    return `yaml: unmarshal errors:\n${this.#lines.map((each) => `  ${each}`).join("\n")}`;
  }
}

/** As `parseYaml`, for files in which a key set twice is a mistake: throws an `Error` that names these keys. */
export async function parseStrictYaml(bytes: Uint8Array): Promise<JsonValue> {
  const repeated = new RepeatedKeys();
  const value = await parseYaml(bytes, repeated.add);
  if (repeated.problem !== undefined) throw new Error(`strict decoding error: ${repeated.problem}`);
  return value;
}
