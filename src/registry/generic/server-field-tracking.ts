import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { hubVersion, type ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import type { FieldTracking, TrackedWrite } from "./field-tracking.js";
import type { RegistryContext } from "./registry-context.js";
import { createVersionedView, type VersionedView } from "./versioned-view.js";

/** Tracks the managed fields of the server's own writes to one resource, under the name of a field manager. */
export class ServerFieldTracking<T extends ApiObject> {
  readonly #definition: ResourceDefinition<T>;
  readonly #tracking: FieldTracking | undefined;
  readonly #views = new Map<string, VersionedView<T>>();

  constructor(definition: ResourceDefinition<T>, tracking: FieldTracking | undefined) {
    this.#definition = definition;
    this.#tracking = tracking;
  }

  /** Does nothing without a field manager. `old` is undefined for a new object. */
  track(context: RegistryContext, object: T, old: T | undefined, strategy: Strategy<T>): MaybePromise<void> {
    if (context.fieldManager === undefined) return undefined;
    const write = this.#write(context, context.fieldManager, strategy);
    return this.#tracking?.track(this.#viewOf(context), object, old, write);
  }

  /** Applies `configuration` to `old` by force: the server then owns its fields, like a client that applies. */
  async apply(
    context: RegistryContext,
    old: T,
    configuration: JsonObject,
    strategy: Strategy<T>,
  ): Promise<T> {
    if (context.fieldManager === undefined || this.#tracking === undefined) {
      throw new Error(`managed fields of ${this.#definition.resource} are not tracked`);
    }
    const view = this.#viewOf(context);
    const write = { ...this.#write(context, context.fieldManager, strategy), force: true };
    const typed = { ...configuration, ...view.typeMeta };
    const applied = await this.#tracking.apply(view, old, typed, write);
    const decoded = view.fromJson({ ...applied.object, ...view.typeMeta }, { keepsNulls: true });
    const object = await view.hubOfSent(decoded, context, { current: { old }, part: strategy });
    object.metadata.managedFields = [...applied.managedFields];
    return object;
  }

  #write(context: RegistryContext, manager: string, strategy: Strategy<T>): TrackedWrite {
    const part = this.#definition.subresources.find(
      (subresource) => subresource.kind === "part" && subresource.strategy === strategy,
    );
    return {
      manager,
      now: context.now,
      subresource: part?.name ?? "",
      resetFields: strategy.resetFields,
      scope: context,
    };
  }

  #viewOf(context: RegistryContext): VersionedView<T> {
    const { versions } = this.#definition;
    const named = versions.find((each) => each.version === context.version);
    const version = named ?? versions[0] ?? hubVersion(this.#definition);
    let view = this.#views.get(version.version);
    if (view === undefined) {
      view = createVersionedView(this.#definition, version);
      this.#views.set(version.version, view);
    }
    return view;
  }
}
