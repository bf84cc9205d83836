import { type CelType, listOf, type ObjectField, scalarTypes } from "../../../apimachinery/cel/cel-type.js";
import { celTypePrefix } from "../../../naming/cel-names.js";

const { string, bool, int, timestamp, dyn } = scalarTypes;
const texts = listOf(string);
const textMap: CelType = { kind: "map", key: string, value: string };

function objectType(name: string, fields: Readonly<Record<string, CelType>>): CelType & { kind: "object" } {
  return {
    kind: "object",
    name: `${celTypePrefix}.${name}`,
    fields: new Map(
      Object.entries(fields).map(([field, type]): [string, ObjectField] => [field, { name: field, type }]),
    ),
  };
}

const kind = objectType("GroupVersionKind", { group: string, version: string, kind: string });
const resource = objectType("GroupVersionResource", { group: string, version: string, resource: string });

/** The variable `request`: the review that a webhook would get, without its objects. */
export const requestType = objectType("AdmissionRequest", {
  kind,
  resource,
  subResource: string,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: objectType("UserInfo", {
    username: string,
    uid: string,
    groups: texts,
    extra: { kind: "map", key: string, value: texts },
  }),
  dryRun: bool,
  options: dyn,
});

/** The variable `namespaceObject`. */
export const namespaceType = objectType("Namespace", {
  metadata: objectType("NamespaceMetadata", {
    name: string,
    generateName: string,
    namespace: string,
    labels: textMap,
    annotations: textMap,
    UID: string,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: string,
    finalizers: texts,
  }),
  spec: objectType("NamespaceSpec", { finalizers: texts }),
  status: objectType("NamespaceStatus", {
    conditions: listOf(
      objectType("NamespaceCondition", {
        status: string,
        type: string,
        lastTransitionTime: timestamp,
        message: string,
        reason: string,
      }),
    ),
    phase: string,
  }),
});

export const variablesTypeName = `${celTypePrefix}.variables`;
