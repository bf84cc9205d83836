import { messageOf } from "../../apimachinery/errors/message-of.js";
import { printJsonByEngine } from "../../apimachinery/json/json-print.js";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { type Following, follow } from "../../informers/follow.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { WriteScope } from "../../request/write-scope.js";
import type { BehaviourRules } from "./behaviour-rules.js";
import type { BehaviourSpec } from "./behaviour-spec.js";

export interface SimulationObjectsParts {
  readonly rules: BehaviourRules;
  readonly write: () => WriteScope;
  readonly onFailure: (error: unknown) => void;
}

type SimulationObject = ApiObject & { readonly spec?: unknown; status?: { problem?: string | undefined } };

/** Applies rules written as objects before their writers are answered, and reports in their status what is wrong with them. */
export class SimulationObjects {
  readonly #parts: SimulationObjectsParts;
  readonly #specs = new Map<string, string>();
  #following: Following | undefined;
  #telling: Promise<void> = Promise.resolve();

  constructor(parts: SimulationObjectsParts) {
    this.#parts = parts;
  }

  async start(registry: ResourceRegistry): Promise<void> {
    this.#following = await follow(
      registry,
      {
        change: (type, stored) => {
          if (type === "DELETED") this.#remove(stored.key);
          else this.#set(registry, stored.key, stored.decode());
        },
      },
      { immediate: true },
    );
  }

  async stop(): Promise<void> {
    this.#following?.stop();
    await this.#telling;
  }

  #set(registry: ResourceRegistry, name: string, { spec, status }: SimulationObject): void {
    // The definition requires it. `exec` may hold any JSON, also integers of any size.
    const text = printJsonByEngine(spec as JsonValue);
    if (this.#specs.get(name) === text) return;
    this.#specs.set(name, text);
    let problem: string | undefined;
    try {
      // The definition's schema has checked its form.
      this.#parts.rules.set(name, spec as BehaviourSpec);
    } catch (error) {
      problem = messageOf(error);
    }
    if (problem === status?.problem) return;
    this.#telling = this.#telling
      .then(() => this.#tell(registry, name, problem))
      .catch((error: unknown) => {
        // It may have been deleted by now.
        if (this.#specs.has(name)) this.#parts.onFailure(error);
      });
  }

  #remove(name: string): void {
    this.#specs.delete(name);
    this.#parts.rules.delete(name);
  }

  async #tell(registry: ResourceRegistry, name: string, problem: string | undefined): Promise<void> {
    const part = registry.definition.subresources.find((each) => each.name === "status");
    if (part?.kind !== "part") return;
    const status = problem === undefined ? {} : { problem };
    await registry.change(this.#parts.write(), name, (object) => void Object.assign(object, { status }), {
      strategy: part.strategy,
    });
  }
}
