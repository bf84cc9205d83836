import { hasWordsOf } from "../../apimachinery/errors/error-words.js";
import type { FieldError, FieldPath } from "../../apimachinery/errors/field-error.js";
import type { ApiObject, ObjectMeta } from "../../apimachinery/objects/meta.js";
import {
  standardFinalizerErrors,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../apimachinery/validation/object-meta.js";
import { type NameValidator, nameIsPathSegment } from "../../apimachinery/validation/object-name.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import { withSharedMetadataRules } from "../../apis/definition/shared-metadata-rules.js";
import type { Strategy } from "../../apis/definition/strategy.js";

/** Which checks a kind's own validation of an update repeats: of the metadata itself, and of its change. */
interface Again {
  readonly itself: boolean;
  readonly change: boolean;
}

const onlyChange: Again = { itself: false, change: true };
const onlyItself: Again = { itself: true, change: false };
const nothing: Again = { itself: false, change: false };

/** All other kinds repeat both. Source: the `Validate…Update` of each kind in Kubernetes 1.23. */
const lessAgain: ReadonlyMap<string, Again> = new Map([
  ["cronjobs", onlyChange],
  ["csidrivers", onlyChange],
  ["csinodes", onlyChange],
  ["customresourcedefinitions", onlyChange],
  ["deployments", onlyChange],
  ["endpointslices", onlyItself],
  // The strict version checks it again itself.
  ["events", nothing],
  ["flowschemas", onlyItself],
  ["horizontalpodautoscalers", onlyChange],
  ["leases", onlyChange],
  ["limitranges", onlyItself],
  ["mutatingwebhookconfigurations", onlyItself],
  ["networkpolicies", onlyChange],
  ["persistentvolumes", onlyItself],
  ["podsecuritypolicies", onlyChange],
  ["podtemplates", onlyChange],
  ["priorityclasses", onlyChange],
  ["prioritylevelconfigurations", onlyItself],
  ["resourcequotas", onlyChange],
  ["runtimeclasses", onlyChange],
  ["validatingwebhookconfigurations", onlyItself],
]);

type MetadataRules = Pick<ResourceDefinition, "namespaced" | "resource" | "standardFinalizers"> & {
  readonly strategy: Pick<Strategy<ApiObject>, "validateName">;
};

/** The errors of metadata in an update. As in Kubernetes, the validation of the kind lists most of them again. */
export function metadataUpdateErrors(
  definition: MetadataRules,
  meta: ObjectMeta,
  old: ObjectMeta,
  { isPart, path }: { readonly isPart: boolean; readonly path: FieldPath },
): FieldError[] {
  const { namespaced, standardFinalizers } = definition;
  const errorsOfItself = (validateName: NameValidator): FieldError[] =>
    // The name cannot change, but what it was generated from can.
    validateObjectMeta(
      meta,
      { namespaced, validateName: (name, prefix) => (prefix ? validateName(name, prefix) : []) },
      path,
    );
  const again = isPart ? onlyChange : againOf(definition);
  const itself = errorsOfItself(nameIsPathSegment);
  const change = validateObjectMetaUpdate(meta, old, path);
  const hasBase = (meta.generateName ?? "") !== "";
  const itselfAgain = again.itself && hasBase ? errorsOfItself(definition.strategy.validateName) : itself;
  const finalizers = standardFinalizerErrors(meta.finalizers ?? [], standardFinalizers, path);
  if (itself.length + change.length + itselfAgain.length + finalizers.length === 0) return [];
  return [
    ...itself,
    ...change,
    ...(again.change ? [...change, ...finalizers] : []),
    ...(again.itself ? [...itselfAgain, ...finalizers] : []),
  ];
}

function againOf({ resource, standardFinalizers }: MetadataRules): Again {
  if (resource === "statefulsets" && hasWordsOf(25)) return onlyChange;
  const isCustom = standardFinalizers === undefined && !withSharedMetadataRules.has(resource);
  return isCustom ? onlyChange : (lessAgain.get(resource) ?? { itself: true, change: true });
}
