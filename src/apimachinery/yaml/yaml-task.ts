import type { JsonValue } from "../json-value.js";
import { jsonToYaml } from "./json-to-yaml.js";
import { parseYaml, YamlSyntaxError } from "./parse-yaml.js";

/** The thread's task. It owns the bytes. */
export type YamlTask =
  | { readonly kind: "parse"; readonly yaml: Uint8Array; readonly reportsDuplicates: boolean }
  | { readonly kind: "print"; readonly json: Uint8Array };

export type YamlOutcome =
  | { readonly kind: "parsed"; readonly value: JsonValue; readonly duplicates: readonly DuplicateKey[] }
  | { readonly kind: "printed"; readonly yaml: Uint8Array<ArrayBuffer> }
  /** The text is not YAML: the message of a `YamlSyntaxError`, whose class a structured clone would lose. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "failed"; readonly error: unknown };

export interface DuplicateKey {
  readonly key: string;
  readonly line: number;
}

/** Never rejects. */
export async function runYamlTask(task: YamlTask): Promise<YamlOutcome> {
  try {
    if (task.kind === "print") {
      return { kind: "printed", yaml: new TextEncoder().encode(await jsonToYaml(task.json)) };
    }
    const duplicates: DuplicateKey[] = [];
    const onDuplicate = (key: string, line: number): unknown => duplicates.push({ key, line });
    const value = await parseYaml(task.yaml, task.reportsDuplicates ? onDuplicate : undefined);
    return { kind: "parsed", value, duplicates };
  } catch (error) {
    return error instanceof YamlSyntaxError
      ? { kind: "refused", message: error.message }
      : { kind: "failed", error };
  }
}
