import { isUtf8 } from "node:buffer";
import type { JsonValue } from "../json-value.js";
import { jsonToYaml } from "./json-to-yaml.js";
import { type OnDuplicateKey, parseYaml, YamlSyntaxError, yamlAsJson } from "./parse-yaml.js";
import type { YamlOutcome } from "./yaml-task.js";
import type { YamlThread } from "./yaml-thread.js";

/** A text longer than this goes to the thread: the library takes 1 to 2 ms for each KiB and half of it, on the event loop. */
export const inlineBytesMax = 64 * 1024;

/** Reads and prints YAML without holding the event loop for long. */
export class YamlConverter {
  readonly #thread: YamlThread | undefined;

  /** Without a thread (`yaml-worker.ts` as JavaScript), everything is done at once. */
  constructor(thread?: YamlThread | undefined) {
    this.#thread = thread;
  }

  /** As `parseYaml`. Rejects with the signal's reason when it aborts before a long text is read. */
  async parse(
    bytes: Uint8Array,
    onDuplicateKey?: OnDuplicateKey | undefined,
    signal?: AbortSignal,
  ): Promise<JsonValue> {
    const thread = this.#thread;
    if (thread === undefined || bytes.length <= inlineBytesMax) return await parseYaml(bytes, onDuplicateKey);
    if (!isUtf8(bytes)) throw new YamlSyntaxError("invalid UTF-8");
    const reportsDuplicates = onDuplicateKey !== undefined;
    const json = yamlAsJson(bytes, reportsDuplicates);
    if (json !== undefined) return json;
    // A copy, because the thread takes its bytes away.
    const yaml = new Uint8Array(bytes);
    const outcome = successOf(await thread.run({ kind: "parse", yaml, reportsDuplicates }, signal));
    if (outcome.kind !== "parsed") throw unexpected(outcome);
    for (const { key, line } of outcome.duplicates) onDuplicateKey?.(key, line);
    return outcome.value;
  }

  /** As `jsonToYaml`. Rejects with the signal's reason when it aborts before a long text is printed. */
  async print(json: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    const thread = this.#thread;
    if (thread === undefined || json.length <= inlineBytesMax) return Buffer.from(await jsonToYaml(json));
    const outcome = successOf(await thread.run({ kind: "print", json: new Uint8Array(json) }, signal));
    if (outcome.kind !== "printed") throw unexpected(outcome);
    return outcome.yaml;
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
