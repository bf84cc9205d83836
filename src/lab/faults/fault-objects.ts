import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { type Following, follow } from "../../informers/follow.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { WriteScope } from "../../request/write-scope.js";
import type { FaultEngine } from "./fault-engine.js";
import type { FaultSpec } from "./fault-spec.js";

export interface FaultObjectsParts {
  readonly engine: FaultEngine;
  readonly write: () => WriteScope;
  readonly onFailure: (reason: unknown) => void;
}

/** A storm hits thousands of requests, so their number is written only now and then. */
const statusMs = 200;
const prefix = "object/";

/** Puts `Fault` objects into force, and writes into their status how often they have hit. */
export class FaultObjects {
  readonly #parts: FaultObjectsParts;
  readonly #specs = new Map<string, string>();
  /** The statuses that were written last. */
  readonly #told = new Map<string, JsonObject>();
  readonly #problems = new Map<string, string>();
  #registry: ResourceRegistry | undefined;
  #following: Following | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: FaultObjectsParts) {
    this.#parts = parts;
    parts.engine.onHit(() => this.#tellLater());
  }

  async start(registry: ResourceRegistry): Promise<void> {
    this.#registry = registry;
    this.#following = await follow(
      registry,
      {
        change: (type, stored) => {
          if (type === "DELETED") this.#remove(stored.key);
          else this.#set(stored.key, stored.decode());
        },
      },
      { immediate: true },
    );
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#following?.stop();
    await this.#writing;
  }

  #set(name: string, object: ApiObject & { readonly spec?: unknown; readonly status?: unknown }): void {
    const text = JSON.stringify(object.spec);
    // If only the status changes, counting continues. After a rewind, the status is an earlier one.
    if (this.#specs.get(name) === text) {
      const told = this.#told.get(name);
      if (told !== undefined && isDeepEqual(object.status, told)) return;
      this.#told.delete(name);
      this.#tellLater();
      return;
    }
    this.#specs.set(name, text);
    try {
      // The definition's schema has checked the spec.
      this.#parts.engine.set(prefix + name, object.spec as FaultSpec);
      this.#problems.delete(name);
    } catch (error) {
      this.#parts.engine.delete(prefix + name);
      this.#problems.set(name, messageOf(error));
    }
    this.#tellLater();
  }

  #remove(name: string): void {
    for (const known of [this.#specs, this.#told, this.#problems]) known.delete(name);
    this.#parts.engine.delete(prefix + name);
  }

  #tellLater(): void {
    if (this.#registry === undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#tell()).catch(this.#parts.onFailure);
    }, statusMs).unref();
  }

  async #tell(): Promise<void> {
    const hits = new Map([...this.#parts.engine.rules].map((rule) => [rule.name, rule.hits]));
    for (const name of [...this.#specs.keys()]) {
      const problem = this.#problems.get(name);
      const status = { hits: hits.get(prefix + name) ?? 0, ...(problem !== undefined && { problem }) };
      if (isDeepEqual(this.#told.get(name), status)) continue;
      this.#told.set(name, status);
      await this.#write(name, status);
    }
  }

  async #write(name: string, status: object): Promise<void> {
    const registry = this.#registry;
    const part = registry?.definition.subresources.find((each) => each.name === "status");
    if (registry === undefined || part?.kind !== "part") return;
    try {
      await registry.change(this.#parts.write(), name, (object) => void Object.assign(object, { status }), {
        strategy: part.strategy,
      });
    } catch (error) {
      // It may be gone by now.
      if (this.#specs.has(name)) this.#parts.onFailure(error);
    }
  }
}
