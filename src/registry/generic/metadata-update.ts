import { hasErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
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

/**
 * How often Kubernetes' validation of an update reports metadata errors again: those of the new metadata itself, and those of its change.
 */
interface RepeatedErrors {
  readonly itself: number;
  readonly change: number;
  /** The range of minor versions that do so; others repeat both once. */
  readonly since?: number;
  readonly until?: number;
}

const both: RepeatedErrors = { itself: 1, change: 1 };
const onlyChange: RepeatedErrors = { itself: 0, change: 1 };
const onlyMetadata: RepeatedErrors = { itself: 1, change: 0 };
const nothing: RepeatedErrors = { itself: 0, change: 0 };
const metadataTwice: RepeatedErrors = { itself: 2, change: 0 };
const bothMetadataTwice: RepeatedErrors = { itself: 2, change: 1 };

/**
 * All other kinds repeat both. Source: the validation of updates in the strategy of each kind in Kubernetes 1.23 and later; 1.28 answers
 * so.
 */
const repeatedOnUpdate: ReadonlyMap<string, RepeatedErrors> = new Map([
  ["clusterrolebindings", { ...bothMetadataTwice, until: 35 }],
  ["clusterroles", { ...bothMetadataTwice, until: 35 }],
  ["cronjobs", onlyChange],
  ["csidrivers", onlyChange],
  ["csinodes", metadataTwice],
  ["customresourcedefinitions", onlyChange],
  ["deployments", onlyChange],
  ["endpointslices", onlyMetadata],
  // The strict version validates the new metadata again elsewhere.
  ["events", nothing],
  ["flowschemas", onlyMetadata],
  ["horizontalpodautoscalers", onlyChange],
  ["leases", onlyChange],
  ["limitranges", onlyMetadata],
  ["mutatingwebhookconfigurations", onlyMetadata],
  ["networkpolicies", { ...onlyChange, since: 36 }],
  ["persistentvolumeclaims", bothMetadataTwice],
  ["persistentvolumes", metadataTwice],
  ["poddisruptionbudgets", nothing],
  ["podschedulingcontexts", { ...bothMetadataTwice, until: 31 }],
  ["podsecuritypolicies", onlyChange],
  ["podtemplates", onlyChange],
  ["priorityclasses", onlyChange],
  ["prioritylevelconfigurations", onlyMetadata],
  ["resourceclaims", { ...bothMetadataTwice, until: 31 }],
  ["resourceclaimtemplates", { ...bothMetadataTwice, until: 31 }],
  ["resourceclasses", { ...bothMetadataTwice, until: 31 }],
  ["resourcequotas", onlyChange],
  ["rolebindings", { ...bothMetadataTwice, until: 35 }],
  ["roles", { ...bothMetadataTwice, until: 35 }],
  ["runtimeclasses", { ...onlyChange, since: 35 }],
  ["statefulsets", { ...onlyChange, since: 25 }],
  ["storageversions", nothing],
  ["validatingadmissionpolicies", onlyMetadata],
  ["validatingadmissionpolicybindings", onlyMetadata],
  ["validatingwebhookconfigurations", onlyMetadata],
  ["volumeattachments", { ...metadataTwice, until: 35 }],
]);

/** For writes of subresources; all others repeat the errors of the change. Source: the answers of kube-apiserver 1.23. */
const repeatedOnSubresources: ReadonlyMap<string, RepeatedErrors> = new Map([
  ["certificatesigningrequests", both],
  ["cronjobs", nothing],
  ["poddisruptionbudgets", nothing],
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
    // The name is immutable, but generateName may change.
    validateObjectMeta(
      meta,
      { namespaced, validateName: (name, prefix) => (prefix ? validateName(name, prefix) : []) },
      path,
    );
  const again = againOf(definition, isPart);
  const itself = errorsOfItself(nameIsPathSegment);
  const change = validateObjectMetaUpdate(meta, old, path);
  const hasBase = (meta.generateName ?? "") !== "";
  const itselfAgain = again.itself > 0 && hasBase ? errorsOfItself(definition.strategy.validateName) : itself;
  const finalizers = standardFinalizerErrors(meta.finalizers ?? [], standardFinalizers, path);
  if (itself.length + change.length + itselfAgain.length + finalizers.length === 0) return [];
  return [
    ...itself,
    ...change,
    ...repeated(again.change, [...change, ...finalizers]),
    ...repeated(again.itself, [...itselfAgain, ...finalizers]),
  ];
}

function againOf({ resource, standardFinalizers }: MetadataRules, isPart: boolean): RepeatedErrors {
  const isCustom = standardFinalizers === undefined && !withSharedMetadataRules.has(resource);
  if (isCustom) return onlyChange;
  if (isPart) return repeatedOnSubresources.get(resource) ?? onlyChange;
  const again = repeatedOnUpdate.get(resource) ?? both;
  const { since, until } = again;
  const isSo =
    (since === undefined || hasErrorTextsOf(since)) && (until === undefined || !hasErrorTextsOf(until));
  return isSo ? again : both;
}

function repeated(times: number, errors: readonly FieldError[]): FieldError[] {
  return Array.from({ length: times }, () => errors).flat();
}
