import { hubVersion } from "../apis/definition/resource-definition.js";
import type { CustomResourceDefinition } from "../apis/gen/apiextensions-v1.js";
import type { Controller } from "../controllers/controller.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import { isStatus } from "../registry/generic/storage-status.js";
import { faultDefinition } from "./faults/fault-definition.js";
import { FaultObjects, type FaultObjectsParts } from "./faults/fault-objects.js";

export interface LabKindsParts extends FaultObjectsParts {
  readonly group: string;
  readonly definitions: () => ResourceRegistry<CustomResourceDefinition>;
  /** Undefined until the definition is served. */
  readonly registry: (resource: string) => ResourceRegistry | undefined;
  /** Calls `listener` when resources come or go, until the returned function is called. */
  readonly onRegistries: (listener: () => void) => () => void;
}

/** Defines the kinds of the lab, and works with their objects as soon as they are served. */
export class LabKinds implements Controller {
  readonly #parts: LabKindsParts;
  readonly #faults: FaultObjects;
  #unsubscribe: () => void = () => undefined;
  #started: Promise<void> | undefined;

  constructor(parts: LabKindsParts) {
    this.#parts = parts;
    this.#faults = new FaultObjects(parts);
  }

  async start(): Promise<void> {
    const { definitions, write, group } = this.#parts;
    const registry = definitions();
    // The codec is that of definitions.
    const definition = hubVersion(registry.definition).codec.fromJson(
      faultDefinition(group),
    ) as CustomResourceDefinition;
    this.#unsubscribe = this.#parts.onRegistries(() => this.#begin());
    this.#begin();
    try {
      await registry.create(write(), definition);
    } catch (error) {
      if (!isStatus(error, "AlreadyExists")) throw error;
    }
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#started;
    await this.#faults.stop();
  }

  #begin(): void {
    const registry = this.#parts.registry("faults");
    if (registry !== undefined) this.#started ??= this.#faults.start(registry);
  }
}
