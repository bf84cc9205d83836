import { isJsonObject, type JsonObject } from "../apimachinery/json-value.js";
import { type Applied, FieldManager } from "../apimachinery/managed-fields/field-manager.js";
import { type FieldSet, fieldSetOf } from "../apimachinery/managed-fields/field-set.js";
import type { ObjectVersions } from "../apimachinery/managed-fields/object-versions.js";
import { type ApiObject, apiVersionOf, type ManagedFieldsEntry } from "../apimachinery/meta.js";
import { stepsInTurns } from "../apimachinery/steps.js";
import type { ResourceDefinition } from "../apis/definition/resource-definition.js";
import type { FieldTracking, TrackedWrite } from "../registry/generic/field-tracking.js";
import { createVersionedView, type VersionedView } from "../registry/generic/versioned-view.js";

/** Maintains `metadata.managedFields` by the schemas of the kinds; one for all resources of a server. */
export class ManagedFieldsTracking implements FieldTracking {
  readonly #lastAppliedAnnotation: string;
  readonly #managers = new WeakMap<object, FieldManager>();
  readonly #resets = new Map<string, FieldSet>();

  /** The annotation in which client-side apply keeps its configuration. */
  constructor(lastAppliedAnnotation: string) {
    this.#lastAppliedAnnotation = lastAppliedAnnotation;
  }

  async onCreate<T extends ApiObject>(view: VersionedView<T>, object: T, write: TrackedWrite): Promise<void> {
    const manager = this.#managerOf(view.definition);
    const form = jsonForm(view, object, write);
    const created = form instanceof Promise ? await form : form;
    const steps = manager.update(undefined, created, this.#write(view, write));
    const entries = await stepsInTurns(steps, write.takeTurn);
    setManagedFields(object, entries);
  }

  async onUpdate<T extends ApiObject>(
    view: VersionedView<T>,
    object: T,
    old: T,
    write: TrackedWrite,
  ): Promise<void> {
    const manager = this.#managerOf(view.definition);
    const oldForm = jsonForm(view, old, write);
    const before = oldForm instanceof Promise ? await oldForm : oldForm;
    const form = jsonForm(view, object, write);
    const after = form instanceof Promise ? await form : form;
    const steps = manager.update(before, after, this.#write(view, write));
    const entries = await stepsInTurns(steps, write.takeTurn);
    setManagedFields(object, entries);
  }

  async apply<T extends ApiObject>(
    view: VersionedView<T>,
    live: T | undefined,
    configuration: JsonObject,
    write: TrackedWrite & { readonly force: boolean },
  ): Promise<Applied> {
    const form = live === undefined ? undefined : jsonForm(view, live, write);
    const before = form instanceof Promise ? await form : form;
    const steps = this.#managerOf(view.definition).apply(before, configuration, {
      ...this.#write(view, write),
      force: write.force,
    });
    return await stepsInTurns(steps, write.takeTurn);
  }

  #write<T extends ApiObject>(view: VersionedView<T>, write: TrackedWrite) {
    const reset = this.#resetOf(write.resetFields ?? []);
    return {
      manager: write.manager,
      apiVersion: view.typeMeta.apiVersion,
      subresource: write.subresource,
      now: write.now,
      scope: write.scope,
      resetFields: () => reset,
    };
  }

  #resetOf(paths: readonly (readonly string[])[]): FieldSet | undefined {
    if (paths.length === 0) return undefined;
    const key = paths.map((path) => path.join(".")).join(",");
    let set = this.#resets.get(key);
    if (set === undefined) {
      set = fieldSetOf(...paths);
      this.#resets.set(key, set);
    }
    return set;
  }

  #managerOf<T extends ApiObject>(definition: ResourceDefinition<T>): FieldManager {
    let manager = this.#managers.get(definition);
    if (manager === undefined) {
      manager = new FieldManager(versionsOf(definition), this.#lastAppliedAnnotation);
      this.#managers.set(definition, manager);
    }
    return manager;
  }
}

function versionsOf<T extends ApiObject>(definition: ResourceDefinition<T>): ObjectVersions {
  const views = new Map(
    definition.versions.map((version) => [
      apiVersionOf({ group: definition.group, version: version.version }),
      createVersionedView(definition, version),
    ]),
  );
  const viewOf = (apiVersion: string): VersionedView<T> => {
    const view = views.get(apiVersion);
    if (view === undefined) throw new Error(`${definition.kind} has no version ${apiVersion}`);
    return view;
  };
  return {
    typeAt(apiVersion) {
      return views.get(apiVersion)?.version.codec.mergeType;
    },
    convert(object, { from, to, scope }) {
      const source = viewOf(from);
      const target = viewOf(to);
      const hub = source.toHub(source.version.codec.fromJson(object), scope);
      return hub instanceof Promise
        ? hub.then((converted) => narrowed(target.fromHub(converted, scope)))
        : narrowed(target.fromHub(hub, scope));
    },
  };
}

/**
 * The object in the view's version. Objects in canonical form are plain JSON, except that absent fields are `undefined`.
 */
function jsonForm<T extends ApiObject>(
  view: VersionedView<T>,
  hub: T,
  { scope }: TrackedWrite,
): JsonObject | Promise<JsonObject> {
  // Conversions may reuse parts of their argument, which the caller still needs.
  return narrowed(view.fromHub(view.version.conversion.hub ? hub : view.hubCodec.clone(hub), scope));
}

function narrowed(object: ApiObject | Promise<ApiObject>): JsonObject | Promise<JsonObject> {
  return object instanceof Promise ? object.then(narrow) : narrow(object);
}

function narrow(object: ApiObject): JsonObject {
  if (!isJsonObject(object)) throw new Error("an object is a JSON object");
  return object;
}

function setManagedFields(object: ApiObject, entries: readonly ManagedFieldsEntry[]): void {
  object.metadata.managedFields = entries.length === 0 ? undefined : [...entries];
}
