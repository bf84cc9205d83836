import { StatusError } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Applied } from "../../apimachinery/managed-fields/field-applier.js";
import { type FieldFilter, withoutFields } from "../../apimachinery/managed-fields/field-filter.js";
import { FieldManager, type FieldManagerOptions } from "../../apimachinery/managed-fields/field-manager.js";
import type { ObjectVersions } from "../../apimachinery/managed-fields/object-versions.js";
import { type MaybePromise, whenDone } from "../../apimachinery/objects/maybe-promise.js";
import { type ApiObject, apiVersionOf, type ManagedFieldsEntry } from "../../apimachinery/objects/meta.js";
import { jsonOf } from "../../apis/apiextensions/custom-resource/custom-object.js";
import { hubVersion, type ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { FieldTracking, TrackedWrite } from "../../registry/generic/field-tracking.js";
import { createVersionedView, type VersionedView } from "../../registry/generic/versioned-view.js";

/** Maintains `metadata.managedFields` with the schemas of the kinds; one instance serves all resources. */
export class ManagedFieldsTracking implements FieldTracking {
  readonly #options: FieldManagerOptions;
  readonly #managers = new WeakMap<object, FieldManager>();
  readonly #filters = new Map<string, FieldFilter>();

  constructor(options: FieldManagerOptions) {
    this.#options = options;
  }

  track<T extends ApiObject>(
    view: VersionedView<T>,
    object: T,
    old: T | undefined,
    write: TrackedWrite,
  ): MaybePromise<void> {
    const before = old === undefined ? undefined : jsonForm(view, old, write);
    return whenDone(before, (live) =>
      whenDone(sentForm(view, object) ?? jsonForm(view, object, write), (updated) =>
        whenDone(
          this.#managerOf(view.definition).update(live, updated, this.#write(view, write)),
          (entries) => setManagedFields(object, entries),
        ),
      ),
    );
  }

  apply<T extends ApiObject>(
    view: VersionedView<T>,
    live: T | undefined,
    configuration: JsonObject,
    write: TrackedWrite & { readonly force: boolean },
  ): MaybePromise<Applied> {
    const form = live === undefined ? undefined : jsonForm(view, live, write);
    return whenDone(form, (before) =>
      this.#managerOf(view.definition).apply(before, configuration, {
        ...this.#write(view, write),
        force: write.force,
      }),
    );
  }

  #write<T extends ApiObject>(view: VersionedView<T>, write: TrackedWrite) {
    const filter = this.#filterOf(write);
    return {
      manager: write.manager,
      apiVersion: view.typeMeta.apiVersion,
      subresource: write.subresource,
      now: write.now,
      scope: write.scope,
      ownable: () => filter,
      discards: isCustom(view.definition) ? discardedBy(write) : undefined,
    };
  }

  #filterOf({ resetFields = [] }: TrackedWrite): FieldFilter | undefined {
    if (resetFields.length === 0) return undefined;
    const key = resetFields.map((path) => path.join(".")).join(",");
    let filter = this.#filters.get(key);
    if (filter === undefined) {
      filter = withoutFields(...resetFields);
      this.#filters.set(key, filter);
    }
    return filter;
  }

  #managerOf<T extends ApiObject>(definition: ResourceDefinition<T>): FieldManager {
    let manager = this.#managers.get(definition);
    if (manager === undefined) {
      manager = new FieldManager(versionsOf(definition), this.#options);
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
    ...(isCustom(definition) && { refuseManagerAt, areAlike: !isConvertedElsewhere(definition) }),
    convert(object, { from, to, scope }) {
      const source = viewOf(from);
      const target = viewOf(to);
      const hub = source.toHub(source.version.codec.fromJson(object), scope);
      return whenDone(hub, (converted) => whenDone(target.fromHub(converted, scope), jsonOf));
    },
  };
}

function isCustom<T extends ApiObject>(definition: ResourceDefinition<T>): boolean {
  return hubVersion(definition).codec.schema === undefined;
}

function isConvertedElsewhere<T extends ApiObject>({ versions }: ResourceDefinition<T>): boolean {
  return versions.some(({ conversion }) => !conversion.hub && conversion.remote === true);
}

/** A write of a part resets everything else. */
function discardedBy({
  subresource,
  resetFields = [],
}: TrackedWrite): ((name: string) => boolean) | undefined {
  if (resetFields.length === 0) return undefined;
  if (subresource !== "") return (name) => name !== subresource && name !== "metadata";
  return (name) => resetFields.some((path) => path.length === 1 && path[0] === name);
}

/** Like Kubernetes, refuses to apply to a custom resource with a manager at a version that the definition no longer has. */
function refuseManagerAt(apiVersion: string): StatusError {
  return new StatusError({
    message: `request to convert CR to an invalid group/version: ${apiVersion}`,
    code: 500,
  });
}

/**
 * The object in the view's version. Objects in canonical form are plain JSON, except that absent fields are `undefined`.
 */
function jsonForm<T extends ApiObject>(
  view: VersionedView<T>,
  hub: T,
  { scope }: TrackedWrite,
): MaybePromise<JsonObject> {
  // Conversions may reuse parts of their argument, which the caller still needs.
  const form = view.version.conversion.hub ? hub : view.hubCodec.clone(hub);
  return whenDone(view.fromHub(form, scope), jsonOf);
}

/**
 * What the client sent, if a webhook converted it to `hub`, because converting back may give another object. Of the metadata only labels
 * and annotations are taken from it: the rest does not depend on the version, and the server completes it.
 */
function sentForm<T extends ApiObject>(view: VersionedView<T>, hub: T): JsonObject | undefined {
  const sent = view.sentAs(hub);
  if (sent === undefined) return undefined;
  const { labels, annotations } = sent.metadata;
  return jsonOf({ ...sent, metadata: { ...hub.metadata, labels, annotations } });
}

function setManagedFields(object: ApiObject, entries: readonly ManagedFieldsEntry[]): void {
  object.metadata.managedFields = entries.length === 0 ? undefined : [...entries];
}
