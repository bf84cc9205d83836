import type { ObjectForms, ServedForm } from "../../admission/chain/object-forms.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ConversionScope } from "../../apimachinery/objects/conversion-scope.js";
import { jsonWithType } from "../../apimachinery/objects/json-with-type.js";
import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import { apiVersionOf } from "../../apimachinery/objects/meta.js";
import { type Codec, DecodeError } from "../../apimachinery/schema/codec.js";
import {
  hubVersion,
  type ResourceDefinition,
  type VersionDefinition,
} from "../../apis/definition/resource-definition.js";
import { createVersionedView, type VersionedView } from "../../registry/generic/versioned-view.js";
import { typeProblem } from "../bodies/decode-object.js";
import { unknownField } from "../bodies/strict-errors.js";

/**
 * The forms of a resource's objects: one for each version of its definition, that of the request first, then those of resources with the
 * same objects.
 */
export function viewForms<T extends ApiObject>(view: VersionedView<T>, scope: ConversionScope): ObjectForms {
  const { definition, version: requested } = view;
  const own = [requested, ...definition.versions.filter((version) => version !== requested)];
  const versions = [definition, ...(definition.equivalents?.() ?? [])].flatMap((of) =>
    (of === definition ? own : of.versions).map((version) => ({
      // Definitions of the same objects have the same hub form, which is T.
      definition: of as typeof definition,
      version: version as typeof requested,
    })),
  );
  const find = (of: GroupVersionKind) => {
    const found = versions.find(
      (candidate) => candidate.version.version === of.version && candidate.definition.group === of.group,
    );
    if (found === undefined) throw new Error(`${of.kind} is not served in version ${of.version}`);
    return found;
  };
  const viewOf = (of: GroupVersionKind): VersionedView<T> => {
    const found = find(of);
    if (found.version === requested) return view;
    return createVersionedView(found.definition, withAllFields(found.definition, found.version, requested));
  };
  const served = versions.map(({ definition: { group, resource, kind }, version: { version } }) => ({
    kind: { group, version, kind },
    resource: { group, version, resource },
  }));
  return {
    served,
    async print(object, of) {
      const wanted = viewOf(of);
      // Conversions may reuse parts of their input. Admission sees the hub's form, which is T.
      const hub = wanted.version.conversion.hub ? (object as T) : wanted.hubCodec.clone(object as T);
      const converting = wanted.fromHub(hub, scope);
      const shown = converting instanceof Promise ? await converting : converting;
      return wanted.version.codec.toJsonWithType(shown, wanted.typeMeta);
    },
    json(object, of) {
      const wanted = viewOf(of);
      // Admission sees the hub's form, which is T.
      const shown = wanted.fromHub(wanted.hubCodec.clone(object as T), scope);
      if (shown instanceof Promise)
        return shown.then((converted) => jsonWithType(converted, wanted.typeMeta));
      return jsonWithType(shown, wanted.typeMeta);
    },
    mergeType: (of) => find(of).version.codec.mergeType,
    async replace(target, changed, of, before, isStrict = false) {
      const wanted = viewOf(statedKind(changed, served) ?? of);
      const problem = typeProblem(wanted, changed);
      if (problem !== undefined) throw new DecodeError(problem, "");
      const unknown: string[] = [];
      const read = wanted.fromJson(changed, {
        ...(isStrict && !wanted.statesType && { onUnknownField: (path) => unknown.push(unknownField(path)) }),
      });
      if (unknown.length > 0) throw new DecodeError(`strict decoding error: ${unknown.join(", ")}`, "");
      const converting = wanted.hubOfSent(read, scope);
      const hub = converting instanceof Promise ? await converting : converting;
      // Managed fields that were read as text would have to be printed again.
      const managers = managersOf(changed);
      if (managers !== undefined && managers === managersOf(before)) {
        hub.metadata.managedFields = target.metadata.managedFields;
      }
      replaceFields(target, hub);
    },
  };
}

/** The served version that an object states; undefined for one that states none, or another. */
function statedKind(value: JsonValue, served: readonly ServedForm[]): GroupVersionKind | undefined {
  const apiVersion = isJsonObject(value) ? value.apiVersion : undefined;
  return served.find(({ kind }) => apiVersionOf(kind) === apiVersion)?.kind;
}

/**
 * A version whose objects have the fields of others, where conversions only lose some: those of the hub, and in a request of another
 * version all, because what is stored is pruned after admission.
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

/** The form of a value that is served in one version, such as bindings and the options of connections. */
export function valueForms(form: ServedForm, codec: Codec<ApiObject>): ObjectForms {
  const { kind } = form.kind;
  const apiVersion = apiVersionOf(form.kind);
  return {
    served: [form],
    print: async (object) => codec.toJsonWithType(object, { kind, apiVersion }),
    json: (object) => jsonWithType(codec.clone(object), { kind, apiVersion }),
    mergeType: () => codec.mergeType,
    async replace(target, changed) {
      replaceFields(target, codec.fromJson(changed));
    },
  };
}

function managersOf(value: JsonValue): JsonValue | undefined {
  const metadata = isJsonObject(value) ? value.metadata : undefined;
  return isJsonObject(metadata) ? metadata.managedFields : undefined;
}

function replaceFields(target: ApiObject, source: ApiObject): void {
  // Deleting members makes an object slow to use.
  for (const field of Object.keys(target)) {
    if (!Object.hasOwn(source, field)) Reflect.deleteProperty(target, field);
  }
  Object.assign(target, source);
}
