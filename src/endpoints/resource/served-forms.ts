import type { ObjectForms, ReplaceOptions, ServedForm } from "../../admission/chain/object-forms.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ConversionScope } from "../../apimachinery/objects/conversion-scope.js";
import { jsonWithType } from "../../apimachinery/objects/json-with-type.js";
import { type MaybePromise, whenDone } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import { apiVersionOf } from "../../apimachinery/objects/meta.js";
import { type Codec, DecodeError } from "../../apimachinery/schema/codec.js";
import type { MergeType } from "../../apimachinery/schema/merge-type.js";
import {
  hubVersion,
  type Replaced,
  type ResourceDefinition,
  type VersionDefinition,
} from "../../apis/definition/resource-definition.js";
import { createVersionedView, type VersionedView } from "../../registry/generic/versioned-view.js";
import { typeProblem } from "../bodies/decode-object.js";
import { unknownField } from "../bodies/strict-errors.js";

export interface ViewFormsParts<T extends ApiObject> {
  /** As rules name them. */
  readonly served?: readonly ServedForm[] | undefined;
  /** What the object of an update replaces. */
  readonly replaced?: Replaced<T> | undefined;
}

/**
 * The versions in which admission may see a resource's objects: those of its definition, the request's version first, then those of
 * resources with the same objects.
 */
export function viewForms<T extends ApiObject>(
  view: VersionedView<T>,
  scope: ConversionScope,
  { served, replaced }: ViewFormsParts<T> = {},
): ObjectForms {
  return new ViewForms(view, scope, served, replaced);
}

/** The versions in which a resource's objects are served, that of the request first. */
export function servedFormsOf<T extends ApiObject>(view: VersionedView<T>): readonly ServedForm[] {
  return versionsOf(view).map(servedForm);
}

/** Admission sees the hub's form of the objects, which is `T`. */
class ViewForms<T extends ApiObject> implements ObjectForms {
  readonly served: readonly ServedForm[];
  readonly #view: VersionedView<T>;
  readonly #scope: ConversionScope;
  readonly #versions: readonly KindVersion<T>[];
  readonly #replaced: Replaced<T> | undefined;

  constructor(
    view: VersionedView<T>,
    scope: ConversionScope,
    served: readonly ServedForm[] | undefined,
    replaced: Replaced<T> | undefined,
  ) {
    this.#view = view;
    this.#scope = scope;
    this.#replaced = replaced;
    this.#versions = versionsOf(view);
    this.served = served ?? this.#versions.map(servedForm);
  }

  async print(object: ApiObject, of: GroupVersionKind): Promise<string> {
    const wanted = this.#viewOf(of);
    // Conversions may reuse parts of their input.
    const hub = wanted.version.conversion.hub ? (object as T) : wanted.hubCodec.clone(object as T);
    const converting = wanted.fromHub(hub, this.#scope);
    const shown = converting instanceof Promise ? await converting : converting;
    return wanted.version.codec.toJsonWithType(shown, wanted.typeMeta);
  }

  json(object: ApiObject, of: GroupVersionKind): MaybePromise<JsonObject> {
    const wanted = this.#viewOf(of);
    const shown = wanted.fromHub(wanted.hubCodec.clone(object as T), this.#scope);
    return whenDone(shown, (converted) => jsonWithType(converted, wanted.typeMeta));
  }

  mergeType(of: GroupVersionKind): MergeType | undefined {
    return this.#find(of).version.codec.mergeType;
  }

  async replace(
    target: ApiObject,
    changed: JsonValue,
    of: GroupVersionKind,
    before: JsonValue,
    options: ReplaceOptions = {},
  ): Promise<void> {
    const wanted = this.#viewOf(statedKind(changed, this.served) ?? of);
    const converting = wanted.hubOfSent(read(wanted, changed, options), this.#scope, this.#replaced);
    const sent = converting instanceof Promise ? await converting : converting;
    const isOtherVersion = wanted !== this.#view && this.#view.reads !== undefined;
    const hub = isOtherVersion ? await this.#validated(sent) : sent;
    // Managed fields that were kept as text would have to be printed again.
    const managers = managersOf(changed);
    if (managers !== undefined && managers === managersOf(before)) {
      hub.metadata.managedFields = target.metadata.managedFields;
    }
    replaceFields(target, hub);
  }

  /** Throws 422 unless an object that was changed in another version is valid in the request's. Calls the conversion webhook. */
  async #validated(hub: T): Promise<T> {
    const shown = await this.#view.fromHub(hub, this.#scope);
    return await this.#view.hubOfSent(shown, this.#scope, this.#replaced);
  }

  #find(of: GroupVersionKind): KindVersion<T> {
    const found = this.#versions.find(
      ({ definition, version }) => version.version === of.version && definition.group === of.group,
    );
    if (found === undefined) throw new Error(`${of.kind} is not served in version ${of.version}`);
    return found;
  }

  #viewOf(of: GroupVersionKind): VersionedView<T> {
    const { definition, version } = this.#find(of);
    const { version: requested } = this.#view;
    if (version === requested) return this.#view;
    return createVersionedView(definition, withAllFields(definition, version, requested));
  }
}

interface KindVersion<T extends ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly version: VersionDefinition<T>;
}

function versionsOf<T extends ApiObject>({
  definition,
  version: requested,
}: VersionedView<T>): readonly KindVersion<T>[] {
  const own = [requested, ...definition.versions.filter((version) => version !== requested)];
  return [definition, ...(definition.equivalents?.() ?? [])].flatMap((of) =>
    (of === definition ? own : of.versions).map((version) => ({
      // Definitions of the same objects have the same hub form, which is `T`.
      definition: of as typeof definition,
      version: version as typeof requested,
    })),
  );
}

function servedForm<T extends ApiObject>({
  definition: { group, resource, kind },
  version: { version },
}: KindVersion<T>): ServedForm {
  return { kind: { group, version, kind }, resource: { group, version, resource } };
}

/** Throws `DecodeError` when the value does not fit the version or, if `isStrict`, has unknown fields. */
function read<T extends ApiObject>(
  wanted: VersionedView<T>,
  value: JsonValue,
  { isStrict = false, numberTexts }: ReplaceOptions,
): ApiObject {
  const problem = typeProblem(wanted, value);
  if (problem !== undefined) throw new DecodeError(problem, "");
  const unknown: string[] = [];
  const object = wanted.fromJson(value, {
    ...(numberTexts !== undefined && { numberTexts }),
    ...(isStrict && !wanted.statesType && { onUnknownField: (path) => unknown.push(unknownField(path)) }),
  });
  if (unknown.length > 0) throw new DecodeError(`strict decoding error: ${unknown.join(", ")}`, "");
  return object;
}

/** The served version that an object states; undefined if it states none of them. */
function statedKind(value: JsonValue, served: readonly ServedForm[]): GroupVersionKind | undefined {
  const apiVersion = isJsonObject(value) ? value.apiVersion : undefined;
  return served.find(({ kind }) => apiVersionOf(kind) === apiVersion)?.kind;
}

/**
 * A version of objects that keep the fields of all versions, if conversions only drop fields: otherwise admission would lose them.
 * Pruning follows before the object is stored.
 */
function withAllFields<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  version: VersionDefinition<T>,
  requested: VersionDefinition<T>,
): VersionDefinition<T> {
  const allFields = allFieldsOf(requested) ?? (allFieldsOf(version) && hubVersion(definition).codec);
  if (allFields === undefined) return version;
  const { conversion } = version;
  if (conversion.hub || conversion.remote === true) return { ...version, codec: allFields };
  return { ...version, codec: allFields, conversion: { ...conversion, fromHub: (hub: T) => hub } };
}

function allFieldsOf<T extends ApiObject>({
  conversion,
}: VersionDefinition<T>): Codec<ApiObject> | undefined {
  return conversion.hub || conversion.remote === true ? undefined : conversion.allFields;
}

/** Forms of a value that is served in one version, such as a binding or the options of a connection. */
export function valueForms(form: ServedForm, codec: Codec<ApiObject>): ObjectForms {
  const { kind } = form.kind;
  const apiVersion = apiVersionOf(form.kind);
  return {
    served: [form],
    print: async (object) => codec.toJsonWithType(object, { kind, apiVersion }),
    json: (object) => jsonWithType(codec.clone(object), { kind, apiVersion }),
    mergeType: () => codec.mergeType,
    async replace(target, changed, _kind, _before, { numberTexts } = {}) {
      replaceFields(target, codec.fromJson(changed, numberTexts && { numberTexts }));
    },
  };
}

function managersOf(value: JsonValue): JsonValue | undefined {
  const metadata = isJsonObject(value) ? value.metadata : undefined;
  return isJsonObject(metadata) ? metadata.managedFields : undefined;
}

function replaceFields(target: ApiObject, source: ApiObject): void {
  // Deleting a property makes an object slow to use, so do it only where needed.
  for (const field of Object.keys(target)) {
    if (!Object.hasOwn(source, field)) Reflect.deleteProperty(target, field);
  }
  Object.assign(target, source);
}
