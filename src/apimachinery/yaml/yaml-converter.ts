import { isUtf8 } from "node:buffer";
import { parseJson } from "../json/json-parse.js";
import type { JsonValue } from "../json/json-value.js";
import { jsonToYaml } from "./json-to-yaml.js";
import { type OnDuplicateKey, parseYaml, yamlAsJson } from "./parse-yaml.js";
import type { YamlRunner } from "./yaml-pool.js";
import { YamlSyntaxError } from "./yaml-syntax-error.js";
import type { YamlOutcome } from "./yaml-task.js";

/** Longer texts go to a thread: the library takes 1 to 5 ms per KiB, on the event loop. */
export const inlineBytesMax = 4 * 1024;

/** Reads and prints YAML without holding the event loop for long. */
export class YamlConverter {
  readonly #runner: YamlRunner | undefined;

  /** Without threads (`yaml-worker.ts` as JavaScript), all work is synchronous. */
  constructor(runner?: YamlRunner | undefined) {
    this.#runner = runner;
  }

  /**
   * Like `parseYaml`. Rejects with the signal's reason when it aborts before a long text is read, and with 429 when too many wait. Long
   * texts of one `client` queue behind each other before they delay those of other clients.
   */
  async parse(
    bytes: Uint8Array,
    onDuplicateKey?: OnDuplicateKey | undefined,
    signal?: AbortSignal,
    client?: string,
  ): Promise<JsonValue> {
    const runner = this.#runner;
    if (runner === undefined || bytes.length <= inlineBytesMax) return await parseYaml(bytes, onDuplicateKey);
    if (!isUtf8(bytes)) throw new YamlSyntaxError("invalid UTF-8");
    const reportsDuplicates = onDuplicateKey !== undefined;
    const value = yamlAsJson(bytes, reportsDuplicates);
    if (value !== undefined) return value;
    // A copy, because the bytes are transferred to the thread.
    const yaml = new Uint8Array(bytes);
    const task = { kind: "parse", yaml, reportsDuplicates } as const;
    const outcome = successOf(await runner.run(task, signal, client));
    if (outcome.kind !== "parsed") throw unexpected(outcome);
    for (const { key, line } of outcome.duplicates) onDuplicateKey?.(key, line);
    return parseJson(outcome.json);
  }

  /**
   * Like `jsonToYaml`; what would take too long or too much memory stays JSON. Rejects with the signal's reason when it aborts before a
   * long text is printed, and with 429 when too many wait.
   */
  async print(json: Uint8Array, signal?: AbortSignal, client?: string): Promise<Uint8Array> {
    const runner = this.#runner;
    if (runner === undefined || json.length <= inlineBytesMax) return Buffer.from(await jsonToYaml(json));
    const printed = async (style: "block" | "flow"): Promise<Uint8Array> => {
      // A copy, because the bytes are transferred to the thread.
      const task = { kind: "print", json: new Uint8Array(json), style } as const;
      const outcome = successOf(await runner.run(task, signal, client));
      if (outcome.kind !== "printed") throw unexpected(outcome);
      return outcome.yaml;
    };
    try {
      return await printed("block");
    } catch (error) {
      if (error instanceof YamlSyntaxError) return await printed("flow");
      throw error;
    }
  }
}

type Success = Extract<YamlOutcome, { kind: "parsed" | "printed" }>;

function successOf(outcome: YamlOutcome): Success {
  if (outcome.kind === "refused") throw new YamlSyntaxError(outcome.message);
  if (outcome.kind === "failed") throw outcome.error;
  return outcome;
}

function unexpected(outcome: YamlOutcome): Error {
  return new Error(`the YAML thread answered with ${outcome.kind}`);
}
