import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import type { ObjectForms } from "../../admission/chain/object-forms.js";
import { badRequest } from "../../apimachinery/errors/status.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiObject, GroupVersionKind, GroupVersionResource } from "../../apimachinery/objects/meta.js";
import type { ApiRequest } from "../../request/api-request.js";
import { writeAttributes } from "../resource/admission-attributes.js";
import { writeOf } from "../resource/write-options.js";

/** Runs admission for a connection. `kindName` is the kind of its options, always of the core group. */
export async function admitConnect(
  admission: AdmissionChain,
  request: ApiRequest,
  kindName: string,
  options: JsonObject,
): Promise<void> {
  const { info } = request;
  const kind = { group: "", version: "v1", kind: kindName };
  const resource = { group: "", version: info.apiVersion, resource: info.resource };
  // Options of a connection have no metadata; plugins that inspect objects recognize them by their kind.
  const object: ApiObject = { metadata: {}, ...setOptions(options) };
  const attributes = writeAttributes(writeOf(request, false), {
    operation: "CONNECT",
    kind,
    resource,
    name: info.name,
    object,
    oldObject: undefined,
    options: undefined,
    forms: () => optionsForms(kind, resource),
  });
  await admission.mutate(attributes);
  await admission.validate(attributes);
}

/** Options without a value are left out, except for the command. */
export function setOptions(options: JsonObject): JsonObject {
  const entries = Object.entries(options).filter(
    ([name, value]) =>
      name === "command" ||
      !(value === false || value === "" || (Array.isArray(value) && value.length === 0)),
  );
  return Object.fromEntries(entries);
}

function optionsForms(kind: GroupVersionKind, resource: GroupVersionResource): ObjectForms {
  return {
    served: [{ kind, resource }],
    async print({ metadata: _, ...options }) {
      // Options are strings, numbers and booleans of the query.
      return printJson({ kind: kind.kind, apiVersion: "v1", ...(options as JsonObject) });
    },
    json({ metadata: _, ...options }) {
      return { kind: kind.kind, apiVersion: "v1", ...(options as JsonObject) };
    },
    mergeType: () => undefined,
    async replace() {
      throw badRequest("the options of a connection cannot be changed");
    },
  };
}
