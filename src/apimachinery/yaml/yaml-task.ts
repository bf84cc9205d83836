import { printJson } from "../json/json-print.js";
import { textExceeds } from "../json/json-size.js";
import { jsonToFlowYaml, jsonToYaml } from "./json-to-yaml.js";
import { parseYaml } from "./parse-yaml.js";
import { YamlSyntaxError } from "./yaml-syntax-error.js";

/** The thread's task. It owns the bytes. */
export type YamlTask =
  | {
      readonly kind: "parse";
      readonly yaml: Uint8Array;
      readonly reportsDuplicates: boolean;
    }
  /** With `flow`, prints JSON, which is less readable YAML but faster to make. */
  | { readonly kind: "print"; readonly json: Uint8Array; readonly style: "block" | "flow" };

export type YamlOutcome =
  /** The value as JSON text, which the main thread can parse in steps; a structured clone would be deserialized at once. */
  | {
      readonly kind: "parsed";
      readonly json: Uint8Array<ArrayBuffer>;
      readonly duplicates: readonly DuplicateKey[];
    }
  | { readonly kind: "printed"; readonly yaml: Uint8Array<ArrayBuffer> }
  /** The text is not YAML: the message of a `YamlSyntaxError`, whose class a structured clone would lose. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "failed"; readonly error: unknown };

/** What a thread posts: its number once, as `systemThread` gives it, and the outcome of each task. */
export type FromYamlThread = { readonly kind: "started"; readonly thread: number | undefined } | YamlOutcome;

/** Aliases repeat values, so the JSON may be longer than the YAML. */
const jsonCharactersMax = 8 * 1024 * 1024;
/** More than anybody reads. */
const duplicatesMax = 1000;

export interface DuplicateKey {
  readonly key: string;
  readonly line: number;
}

/** Never rejects. */
export async function runYamlTask(task: YamlTask): Promise<YamlOutcome> {
  try {
    if (task.kind === "print") {
      const yaml = task.style === "flow" ? jsonToFlowYaml(task.json) : await jsonToYaml(task.json);
      return { kind: "printed", yaml: new TextEncoder().encode(yaml) };
    }
    const duplicates: DuplicateKey[] = [];
    const onDuplicate = (key: string, line: number): void => {
      if (duplicates.length < duplicatesMax) duplicates.push({ key, line });
    };
    const value = await parseYaml(task.yaml, task.reportsDuplicates ? onDuplicate : undefined);
    if (textExceeds(value, jsonCharactersMax)) {
      return { kind: "refused", message: "document contains excessive aliasing" };
    }
    return {
      kind: "parsed",
      json: new TextEncoder().encode(printJson(value, { htmlEscape: false })),
      duplicates,
    };
  } catch (error) {
    return error instanceof YamlSyntaxError
      ? { kind: "refused", message: error.message }
      : { kind: "failed", error };
  }
}
