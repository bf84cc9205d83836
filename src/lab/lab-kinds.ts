import type { Controller } from "../controllers/controller.js";
import { ProvidedKind, type ProvidedKindParts } from "../controllers/custom-resources/provided-kind.js";
import { faultDefinition } from "./faults/fault-definition.js";
import { FaultObjects, type FaultObjectsParts } from "./faults/fault-objects.js";

export interface LabKindsParts extends FaultObjectsParts, Pick<ProvidedKindParts, "context" | "group"> {}

/** Defines the kinds of the lab, and applies their objects as soon as they are served. */
export class LabKinds implements Controller {
  readonly #faults: FaultObjects;
  readonly #kind: ProvidedKind;

  constructor(parts: LabKindsParts) {
    const { context, group } = parts;
    this.#faults = new FaultObjects(parts);
    this.#kind = new ProvidedKind({
      context,
      group,
      resource: "faults",
      definition: faultDefinition(group),
      served: (registry) => this.#faults.start(registry),
    });
  }

  start(): Promise<void> {
    return this.#kind.start();
  }

  async stop(): Promise<void> {
    await this.#kind.stop();
    await this.#faults.stop();
  }
}
