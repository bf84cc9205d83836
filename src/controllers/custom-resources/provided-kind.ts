import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { hubVersion } from "../../apis/definition/resource-definition.js";
import { ownGroupApproval } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { type Controller, type ControllerContext, serverWrite } from "../controller.js";
import { ignoreAlreadyExists } from "../ignore-errors.js";

export interface ProvidedKindParts {
  readonly context: Pick<
    ControllerContext,
    "builtin" | "registries" | "onRegistries" | "now" | "fieldManager"
  >;
  /** A custom resource definition in its hub version. */
  readonly definition: JsonObject;
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  /** Called with the registry of the kind's objects when it is served. */
  readonly served: (registry: ResourceRegistry) => Promise<void>;
}

/** A kind that the server itself provides as a custom resource: its definition is created at the start if it is missing. */
export class ProvidedKind implements Controller {
  readonly #parts: ProvidedKindParts;
  #unsubscribe: () => void = () => undefined;
  #started: Promise<void> | undefined;

  constructor(parts: ProvidedKindParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { context, definition } = this.#parts;
    const registry = context.builtin("customresourcedefinitions.apiextensions");
    this.#unsubscribe = context.onRegistries(({ added }) => this.#begin(added));
    this.#begin(context.registries());
    const object = hubVersion(registry.definition).codec.fromJson(definition);
    object.metadata.annotations = { ...object.metadata.annotations, ...ownGroupApproval };
    await ignoreAlreadyExists(registry.create(serverWrite(context, ""), object));
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#started;
  }

  #begin(registries: Iterable<ResourceRegistry>): void {
    const { group, resource, served } = this.#parts;
    for (const registry of registries) {
      const { definition } = registry;
      if (definition.group === group && definition.resource === resource) this.#started ??= served(registry);
    }
  }
}
