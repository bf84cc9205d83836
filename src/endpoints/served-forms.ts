import type { ObjectForms, ServedForm } from "../admission/object-forms.js";
import { parseJson } from "../apimachinery/json-parse.js";
import type { ApiObject, GroupVersionKind } from "../apimachinery/meta.js";
import { apiVersionOf } from "../apimachinery/meta.js";
import { type Codec, DecodeError } from "../apimachinery/schema/codec.js";
import { createVersionedView, type VersionedView } from "../registry/generic/versioned-view.js";

/** The forms of a resource's objects: one for each version of its definition, that of the request first. */
export function viewForms<T extends ApiObject>(view: VersionedView<T>): ObjectForms {
  const { definition } = view;
  const { group, resource, kind } = definition;
  const versions = [view.version, ...definition.versions.filter((version) => version !== view.version)];
  const viewOf = (of: GroupVersionKind): VersionedView<T> => {
    if (of.version === view.version.version) return view;
    const version = versions.find((candidate) => candidate.version === of.version);
    if (version === undefined) throw new Error(`${kind} is not served in version ${of.version}`);
    return createVersionedView(definition, version);
  };
  return {
    served: versions.map(({ version }) => ({
      kind: { group, version, kind },
      resource: { group, version, resource },
    })),
    async print(object, of) {
      const wanted = viewOf(of);
      // Conversions may take parts of what they are given. Admission sees the hub's form, which is T.
      const hub = wanted.version.conversion.hub ? (object as T) : wanted.hubCodec.clone(object as T);
      return wanted.version.codec.toJsonWithType(wanted.fromHub(hub), wanted.typeMeta);
    },
    async replace(target, text, of) {
      const wanted = viewOf(of);
      replaceFields(target, wanted.toHub(wanted.fromJson(parseJson(text))));
    },
  };
}

/** The form of a value that is served in one version, as bindings and the options of connections are. */
export function valueForms(form: ServedForm, codec: Codec): ObjectForms {
  const { kind } = form.kind;
  const apiVersion = apiVersionOf(form.kind);
  return {
    served: [form],
    print: async (object) => codec.toJsonWithType(object, { kind, apiVersion }),
    async replace(target, text) {
      const read = codec.fromJson(parseJson(text));
      // The codecs of values that are admitted are of types with metadata.
      if (!("metadata" in read)) throw new DecodeError(`${kind} has no metadata`, "metadata");
      replaceFields(target, read as ApiObject);
    },
  };
}

function replaceFields(target: ApiObject, source: ApiObject): void {
  for (const field of Object.keys(target)) Reflect.deleteProperty(target, field);
  Object.assign(target, source);
}
