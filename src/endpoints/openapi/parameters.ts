import type { MessageSchema } from "../../apimachinery/schema/message-schema.js";
import type { ApiParameter } from "./api-path.js";
import { byName } from "./common-parameters.js";
import type { TypeSource } from "./declared-schemas.js";
import type { Descriptions } from "./descriptions.js";

function query(name: string, type: ApiParameter["type"], description: string): ApiParameter {
  return { name, in: "query", type, description };
}

export const prettyParameter = query("pretty", "string", "'true' prints the answer for people.");

const continueParameter = query("continue", "string", "The token that the page before ended with.");
const dryRun = query("dryRun", "string", "'All' goes through every step but does not store the outcome.");
const fieldManager = query("fieldManager", "string", "Who makes this change, as managedFields will say.");
const fieldSelector = query("fieldSelector", "string", "Only objects whose fields match. Default: all.");
const fieldValidation = query(
  "fieldValidation",
  "string",
  "What unknown and duplicate fields lead to: Ignore, Warn or Strict.",
);
const force = query("force", "boolean", "Takes fields over from other managers. For apply only.");
const gracePeriodSeconds = query(
  "gracePeriodSeconds",
  "integer",
  "Seconds until the object is gone; 0 is at once. Default: as the kind says.",
);
const labelSelector = query("labelSelector", "string", "Only objects whose labels match. Default: all.");
const limit = query("limit", "integer", "The most objects of one page. Default: no pages.");
const orphanDependents = query(
  "orphanDependents",
  "boolean",
  "Deprecated, use propagationPolicy: whether dependents are left alone.",
);
const propagationPolicy = query(
  "propagationPolicy",
  "string",
  "What happens to dependents: Orphan, Background or Foreground.",
);
const resourceVersion = query(
  "resourceVersion",
  "string",
  "How new the answer must be, or where a watch starts. Default: the newest.",
);
const resourceVersionMatch = query(
  "resourceVersionMatch",
  "string",
  "How resourceVersion binds: NotOlderThan or Exact.",
);
const sendInitialEvents = query(
  "sendInitialEvents",
  "boolean",
  "Begins a watch with the current state, and ends that with a bookmark.",
);
const shardSelector = query(
  "shardSelector",
  "string",
  "Only objects whose hash is in one of these ranges, with the gate ShardedListAndWatch. Default: all.",
);
const ignoreStoreReadError = query(
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "boolean",
  "Deletes an object that cannot be read from the store, without its finalizers and checks.",
);
const timeoutSeconds = query("timeoutSeconds", "integer", "Seconds after which the request ends.");
const watch = query("watch", "boolean", "Streams changes instead of listing.");
const allowWatchBookmarks = query(
  "allowWatchBookmarks",
  "boolean",
  "Whether a watch may send events that carry a resourceVersion only.",
);

const deleteParameters: readonly ApiParameter[] = [
  dryRun,
  gracePeriodSeconds,
  ignoreStoreReadError,
  orphanDependents,
  propagationPolicy,
];
const selectionParameters: readonly ApiParameter[] = [
  continueParameter,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  shardSelector,
  timeoutSeconds,
];

/** The parameters of creations and updates, and of patches. */
export interface WritingParameters {
  readonly create: readonly ApiParameter[];
  readonly patch: readonly ApiParameter[];
}

export function writingParameters(choices: { readonly fieldValidation: boolean }): WritingParameters {
  const create = [dryRun, fieldManager, ...(choices.fieldValidation ? [fieldValidation] : [])];
  return { create, patch: [...create, force] };
}

/** The parameters of lists and watches, and of the deletion of an object and of a collection. */
export interface SelectingParameters {
  readonly list: readonly ApiParameter[];
  readonly delete: readonly ApiParameter[];
  readonly deleteCollection: readonly ApiParameter[];
  /** Of a custom resource. */
  readonly getCustom: readonly ApiParameter[];
}

/** The parameters that the level's options have. */
export function selectingParameters(types: Pick<TypeSource, "message">): SelectingParameters {
  const has = (type: string) => {
    const { jsonFields } = types.message(type);
    return ({ name }: ApiParameter): boolean => jsonFields.has(name);
  };
  const selecting = [...selectionParameters, allowWatchBookmarks, watch].filter(has("meta/v1.ListOptions"));
  const deleting = deleteParameters.filter(has("meta/v1.DeleteOptions"));
  const ofWatches = [allowWatchBookmarks, watch];
  return {
    list: byName(selecting),
    delete: deleting,
    deleteCollection: byName([...selecting.filter((one) => !ofWatches.includes(one)), ...deleting]),
    getCustom: selecting.filter(({ name }) => name === "resourceVersion"),
  };
}

export function nameParameter(kind: string): ApiParameter {
  return { name: "name", in: "path", type: "string", description: `Name of the ${kind}.` };
}

export const namespaceParameter: ApiParameter = {
  name: "namespace",
  in: "path",
  type: "string",
  description: "The namespace of the object.",
};

export const pathParameter: ApiParameter = {
  name: "path",
  in: "path",
  type: "string",
  description: "What comes after the proxy's own path.",
};

/** The simple fields of an options type, as query parameters. As in Kubernetes, times are left out, although they are accepted. */
export function optionParameters(
  options: MessageSchema,
  descriptions: Descriptions,
): readonly ApiParameter[] {
  return byName(
    [...options.jsonFields.values()].flatMap((field) => {
      if (field.element.kind !== "scalar") return [];
      const { scalar } = field.element;
      const type = scalar === "bool" ? "boolean" : scalar.startsWith("int") ? "integer" : "string";
      return query(field.name, type, descriptions.ofField(options.name, field.neutralName) ?? field.name);
    }),
  );
}
