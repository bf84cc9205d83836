import { withErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { badRequest, requestTooLarge } from "../../apimachinery/errors/status.js";
import { minorOf, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import { FieldSelector, parseFieldSelector } from "../../apimachinery/selectors/field-selector.js";
import { type LabelSelector, parseLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import {
  type ResourceDefinition,
  selectableFieldsOf,
  type VersionDefinition,
} from "../../apis/definition/resource-definition.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import type { ObjectAttributes, Selection } from "../../storage/object-store.js";

/** A further condition, on labels and fields only. */
interface ShardSelector {
  matches(attributes: ObjectAttributes): boolean;
}

interface ServedKind<T extends ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly version: VersionDefinition<T>;
  /** Set if a webhook converts. */
  readonly reads?: { readonly selectsConverted: boolean } | undefined;
}

/** What the store selects, and a filter for after the conversion. */
interface VersionedSelection extends Selection {
  readonly matchesConverted?: NonNullable<Selection["matches"]>;
}

/** The selectors in the query of a list, watch or deletecollection. */
export interface Selectors {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

/** Throws 400 for a malformed selector. */
export function readSelectors(
  { level = oldestLevel }: Pick<ResourceDefinition, "level">,
  query: QueryParameters,
): Selectors {
  const labels = parseQuery("labelSelector", query, (text) =>
    withErrorTextsOf(minorOf(level), () => parseLabelSelector(text)),
  );
  return { labels, fields: parseQuery("fieldSelector", query, parseFieldSelector) };
}

/**
 * The objects that a list, watch or deletecollection selects: namespace and name of the path, label and field selector of the query.
 * Throws 400 for an unknown field.
 */
export function selectionOf<T extends ApiObject>(
  served: ServedKind<T>,
  { namespace, name }: Pick<RequestInfo, "namespace" | "name">,
  { labels, fields: selector }: Selectors,
  shard?: ShardSelector | undefined,
): VersionedSelection {
  const { definition } = served;
  for (const { field } of selector.requirements()) checkField(served, field);
  const fields = served.reads?.selectsConverted === true ? ofMetadata(selector) : selector;
  const requirements = fields.requirements();

  const selectedName = fields.exactValue("metadata.name");
  if (name !== "" && requirements.length > 0 && selectedName !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const wantedName = name !== "" ? name : selectedName;
  const wantedNamespace = namespace !== "" ? namespace : fields.exactValue("metadata.namespace");
  const prefix = definition.namespaced && wantedNamespace !== undefined ? `${wantedNamespace}/` : "";
  const key =
    wantedName === undefined || wantedName === "" || (definition.namespaced && prefix === "")
      ? undefined
      : `${prefix}${wantedName}`;
  // Within a namespace, the namespace is the better index.
  const hint = prefix === "" ? requirements.find((r) => r.operator === "=" && r.value !== "") : undefined;
  const everything =
    labels.isEmpty() &&
    requirements.length === 0 &&
    (name === "" || key !== undefined) &&
    shard === undefined;
  return {
    prefix,
    ...(key !== undefined && { key }),
    ...(requirements.length < selector.requirements().length && {
      matchesConverted: (attributes: ObjectAttributes) => selector.matches(attributes.fields),
    }),
    ...(hint !== undefined && { fieldEquals: { field: hint.field, value: hint.value } }),
    ...(!everything && {
      matches: (attributes: ObjectAttributes) =>
        (name === "" || attributes.fields["metadata.name"] === name) &&
        labels.matches(attributes.labels) &&
        fields.matches(attributes.fields) &&
        (shard === undefined || shard.matches(attributes)),
    }),
  };
}

/** The requirements on metadata, which are the same in all versions. */
function ofMetadata(selector: FieldSelector): FieldSelector {
  return FieldSelector.of(selector.requirements().filter(({ field }) => field.startsWith("metadata.")));
}

function parseQuery<S>(parameter: string, query: QueryParameters, parse: (text: string) => S): S {
  const text = query.get(parameter) ?? "";
  checkTerms(parameter, text);
  try {
    return parse(text);
  } catch (error) {
    throw badRequest(messageOf(error), error);
  }
}

/** Kubernetes is limited only by the length of its URLs, but here lists and watches are selected on the serving thread. */
const selectorTermsMax = 10_000;

/** Throws 413 for more requirements and values than any real selector has. */
function checkTerms(parameter: string, text: string): void {
  let commas = 0;
  for (let at = text.indexOf(","); at >= 0; at = text.indexOf(",", at + 1)) {
    if (++commas < selectorTermsMax) continue;
    throw requestTooLarge(`the ${parameter} has more than ${selectorTermsMax} requirements and values`);
  }
}

function checkField<T extends ApiObject>(served: ServedKind<T>, field: string): void {
  if (field === "metadata.name") return;
  const names = selectableFieldsOf(served);
  const isPlain = names.length === 0 && served.version.hasProtobuf !== false;
  // As in Kubernetes, plain kinds have it even when their objects are in no namespace.
  if (field === "metadata.namespace" && (served.definition.namespaced || isPlain)) return;
  if (names.includes(field)) return;
  throw badRequest(
    isPlain
      ? `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
      : (served.definition.selectableFields.refusal?.(field, served.version.version) ??
          `field label not supported: ${field}`),
  );
}
