import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isJsonObject, type JsonObject } from "../../apimachinery/json/json-value.js";
import type { BuiltinObjects } from "../../apis/builtin-objects.js";
import { checkManifest, type ManifestObject, policyNameOf } from "./manifest-rules.js";
import type { Listed, ManifestKind, Manifests } from "./manifests.js";

export interface ManifestDirectoryParts {
  readonly directory: string;
  /** `admissionregistration.DOMAIN/v1`. */
  readonly apiVersion: string;
  /** Suffix of all names: `.static.DOMAIN`. */
  readonly suffix: string;
  /** The resource of a kind; undefined for a kind that the plugin does not take. */
  readonly resourceOf: (kind: string) => ManifestKind | undefined;
  /** The object with its defaults. Throws an `Error` that says what is wrong with it. */
  readonly decode: (resource: ManifestKind, json: JsonObject) => ManifestObject;
}

interface Kept {
  readonly view: (object: ManifestObject) => unknown;
  values: readonly unknown[];
}

interface Found {
  readonly resource: ManifestKind;
  readonly kind: string;
  readonly object: ManifestObject;
}

interface ReadFile {
  readonly path: string;
  readonly text: string;
}

const extensions = new Set([".yaml", ".yml", ".json"]);

/** Webhooks or policies from the files of a directory. A change is taken over as a whole, or not at all. */
export class ManifestDirectory implements Manifests {
  readonly #parts: ManifestDirectoryParts;
  readonly #kinds = new Map<ManifestKind, Kept>();
  #hash = "";
  /** The last content that could not be used: it need not be tried again. */
  #refused: { readonly hash: string; readonly error: unknown } | undefined;

  constructor(parts: ManifestDirectoryParts) {
    this.#parts = parts;
  }

  kind<R extends ManifestKind, V>(kind: R, view: (object: BuiltinObjects[R]) => V): Listed<V> {
    // Objects of the resource, and the view's result for them.
    const kept: Kept = { view: view as unknown as Kept["view"], values: [] };
    this.#kinds.set(kind, kept);
    return {
      get size() {
        return kept.values.length;
      },
      values: () => kept.values as readonly V[],
    };
  }

  /** Hash of the content in force: `sha256:…`, empty when there are no files. */
  get hash(): string {
    return this.#hash;
  }

  /** Reads the files. Resolves with whether they have changed; rejects with an `Error` when they cannot be taken over. */
  async load(): Promise<boolean> {
    const { files, hash } = await this.#read();
    if (this.#refused?.hash === hash) throw this.#refused.error;
    this.#refused = undefined;
    if (hash === this.#hash) return false;
    try {
      this.#takeOver(files);
    } catch (error) {
      this.#refused = { hash, error };
      throw error;
    }
    this.#hash = hash;
    return true;
  }

  #takeOver(files: readonly ReadFile[]): void {
    const found = files.flatMap(({ path, text }) => this.#objectsIn(path, text));
    this.#checkTogether(found);
    const views = [...this.#kinds].map(([resource, kept]) => ({
      kept,
      values: found
        .filter((one) => one.resource === resource)
        .map(({ object }) => object)
        .sort(byName)
        .map(kept.view),
    }));
    for (const { kept, values } of views) kept.values = values;
  }

  async #read() {
    const { directory } = this.#parts;
    const entries = await readdir(directory, { withFileTypes: true });
    const names = entries
      .filter((entry) => !entry.isDirectory() && extensions.has(extname(entry.name).toLowerCase()))
      .map(({ name }) => name)
      .sort();
    const hash = createHash("sha256");
    const files: ReadFile[] = [];
    for (const name of names) {
      const path = join(directory, name);
      const text = await readFile(path, "utf8");
      if (text === "") continue;
      hash.update(text).update("\0");
      files.push({ path, text });
    }
    return { files, hash: files.length === 0 ? "" : `sha256:${hash.digest("hex")}` };
  }

  #objectsIn(path: string, text: string): Found[] {
    try {
      const documents = parseAllDocuments(text);
      if (!Array.isArray(documents)) return [];
      return documents.flatMap((document) => {
        const [failure] = document.errors;
        if (failure !== undefined) throw new Error(failure.message);
        const json: unknown = document.toJS();
        return json === null ? [] : this.#objectsOf(json, path);
      });
    } catch (error) {
      throw new Error(`error loading ${path}: ${messageOf(error)}`, { cause: error });
    }
  }

  #objectsOf(json: unknown, file: string): Found[] {
    const { apiVersion, suffix, resourceOf, decode } = this.#parts;
    if (!isObject(json)) throw new Error("not an object");
    const { kind, items } = json;
    if (json.apiVersion === "v1" && kind === "List") {
      if (!Array.isArray(items)) throw new Error("items: must be a list");
      return items.flatMap((item) => this.#objectsOf(item, file));
    }
    const name = typeof kind === "string" ? kind : "";
    const resource = json.apiVersion === apiVersion ? resourceOf(name) : undefined;
    if (resource === undefined)
      throw new Error(
        `unsupported resource type ${JSON.stringify(json.apiVersion ?? "")}, kind ${JSON.stringify(name)}`,
      );
    const object = decode(resource, json);
    checkManifest(object, name, { file, suffix });
    return [{ resource, kind: name, object }];
  }

  #checkTogether(found: readonly Found[]): void {
    const seen = new Set<string>();
    for (const { resource, object } of found) {
      const { name } = object.metadata;
      if (seen.has(`${resource} ${name}`)) throw new Error(`duplicate name ${JSON.stringify(name)} found`);
      seen.add(`${resource} ${name}`);
    }
    const policies = new Set(
      found.filter(({ kind }) => kind.endsWith("Policy")).map(({ object }) => object.metadata.name),
    );
    for (const { kind, object } of found) {
      if (!kind.endsWith("Binding") || policies.has(policyNameOf(object))) continue;
      throw new Error(
        `binding ${JSON.stringify(object.metadata.name)} references policy ${JSON.stringify(policyNameOf(object))} which does not exist in the manifest directory`,
      );
    }
  }
}

function isObject(value: unknown): value is JsonObject {
  // The YAML parser returns JSON, apart from numbers that JSON does not have.
  return isJsonObject(value as JsonObject);
}

function byName({ metadata: a }: ManifestObject, { metadata: b }: ManifestObject): number {
  return (a.name ?? "") < (b.name ?? "") ? -1 : 1;
}
