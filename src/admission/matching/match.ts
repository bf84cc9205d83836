import { messageOf } from "../../apimachinery/errors/message-of.js";
import { internal, notFound } from "../../apimachinery/errors/status.js";
import type { GroupVersionResource } from "../../apimachinery/objects/meta.js";
import { type LabelSelector, labelSelectorFromObject } from "../../apimachinery/selectors/label-selector.js";
import type { RuleWithOperations } from "../../apis/gen/admissionregistration-v1.js";
import type { LabelSelector as LabelSelectorObject } from "../../apis/gen/meta-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { NamespaceLister } from "../chain/namespace-lister.js";
import type { ServedForm } from "../chain/object-forms.js";

/** Which requests a webhook or a policy applies to. */
export interface MatchCriteria extends RequestSelectors {
  readonly rules: readonly MatchRule[];
  readonly matchesEquivalents: boolean;
}

export interface RequestSelectors {
  /** Undefined: everything matches. */
  readonly namespaceSelector: LabelSelector | undefined;
  readonly objectSelector: LabelSelector | undefined;
  /** Why one of them cannot be read: a store may have selectors with values that no label can have, from levels before 1.26. */
  readonly unreadable: string | undefined;
}

export interface MatchRule extends RuleWithOperations {
  /** Empty: objects of all names. */
  readonly resourceNames?: readonly string[] | undefined;
}

/**
 * The form in which a webhook sees a request; undefined if it does not match. `known`: the form, if the rules do not determine it. Throws
 * 404 when the namespace of the request does not exist, and 500 when only an unreadable selector could tell. Source: Kubernetes
 * documentation, "Dynamic Admission Control", "Matching requests".
 */
export function matchingForm(
  criteria: MatchCriteria,
  attributes: AdmissionAttributes,
  namespaces: NamespaceLister,
  known?: ServedForm,
): ServedForm | undefined | Promise<ServedForm | undefined> {
  const form = known ?? ruleForm(criteria, attributes);
  if (form === undefined || !matchesObject(criteria, attributes)) return undefined;
  const { namespaceSelector, unreadable } = criteria;
  if (namespaceSelector === undefined) return formUnless(unreadable, form);
  return matchesNamespace(namespaceSelector, attributes, namespaces).then((matches) =>
    matches ? formUnless(unreadable, form) : undefined,
  );
}

function formUnless(unreadable: string | undefined, form: ServedForm): ServedForm {
  if (unreadable !== undefined) throw internal(unreadable);
  return form;
}

/** The request's own form if a rule names it, otherwise an equivalent one that a rule names. */
export function ruleForm(
  { rules, matchesEquivalents }: MatchCriteria,
  attributes: AdmissionAttributes,
): ServedForm | undefined {
  const { resource, kind } = attributes;
  if (rules.some((rule) => matchesRule(rule, attributes, resource))) return { resource, kind };
  if (!matchesEquivalents) return undefined;
  for (const rule of rules) {
    for (const form of attributes.forms.served) {
      if (matchesRule(rule, attributes, form.resource)) return form;
    }
  }
  return undefined;
}

function matchesRule(
  rule: MatchRule,
  attributes: AdmissionAttributes,
  { group, version, resource }: GroupVersionResource,
): boolean {
  return (
    has(rule.apiGroups, group) &&
    has(rule.apiVersions, version) &&
    has(rule.operations, attributes.operation) &&
    (rule.resources ?? []).some((named) => namesResource(named, resource, attributes.subresource)) &&
    matchesScope(rule.scope ?? "*", attributes) &&
    namesObject(rule.resourceNames, attributes)
  );
}

function namesObject(names: readonly string[] | undefined, { name }: AdmissionAttributes): boolean {
  return names === undefined || names.length === 0 || names.includes(name);
}

function has(names: readonly string[] | undefined, wanted: string): boolean {
  return names?.some((name) => name === "*" || name === wanted) ?? false;
}

/** `pods`, `pods/status`, `pods/*`, `*` (no subresources), `*` with `/scale`, `*` with `/*`. */
function namesResource(named: string, resource: string, subresource: string): boolean {
  const slash = named.indexOf("/");
  const [first, second] = slash < 0 ? [named, ""] : [named.slice(0, slash), named.slice(slash + 1)];
  return (first === "*" || first === resource) && (second === "*" || second === subresource);
}

function matchesScope(scope: string, attributes: AdmissionAttributes): boolean {
  if (scope === "*") return true;
  const isNamespaced = attributes.namespace !== "" && !isNamespace(attributes);
  return (scope === "Namespaced") === isNamespaced;
}

/** The options of a connection are no object with labels: only the empty selector matches them. */
function matchesObject(
  { objectSelector }: MatchCriteria,
  { object, oldObject, operation }: AdmissionAttributes,
): boolean {
  if (objectSelector === undefined) return true;
  if (operation === "CONNECT") return false;
  return [object, oldObject].some(
    (each) => each !== undefined && objectSelector.matches(each.metadata?.labels ?? {}),
  );
}

/** Namespaces are matched by their own labels; the selector does not apply to other cluster-scoped objects. */
async function matchesNamespace(
  namespaceSelector: LabelSelector,
  attributes: AdmissionAttributes,
  namespaces: NamespaceLister,
): Promise<boolean> {
  if (isNamespace(attributes) && attributes.subresource === "" && attributes.object !== undefined) {
    return namespaceSelector.matches(attributes.object.metadata.labels ?? {});
  }
  const name = isNamespace(attributes) ? attributes.name : attributes.namespace;
  if (name === "") return true;
  const found = namespaces.get(name) ?? (await namespaces.read(name));
  if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, name);
  return namespaceSelector.matches(found.labels);
}

/** Whether a request is about a namespace itself, which is not in itself. */
export function isNamespace({ resource }: AdmissionAttributes): boolean {
  return resource.group === "" && resource.resource === "namespaces";
}

/** The namespace that a request's object is in; empty for one that is in none, as a namespace itself. */
export function namespaceOf(attributes: AdmissionAttributes): string {
  return isNamespace(attributes) ? "" : attributes.namespace;
}

export function requestSelectors(of: {
  readonly namespaceSelector?: LabelSelectorObject | undefined;
  readonly objectSelector?: LabelSelectorObject | undefined;
}): RequestSelectors {
  let unreadable: string | undefined;
  const read = (selector: LabelSelectorObject | undefined): LabelSelector | undefined => {
    try {
      return selectorOf(selector);
    } catch (error) {
      unreadable ??= messageOf(error);
      return undefined;
    }
  };
  const namespaceSelector = read(of.namespaceSelector);
  const objectSelector = read(of.objectSelector);
  return { namespaceSelector, objectSelector, unreadable };
}

/** Undefined for a selector that selects everything. */
function selectorOf(selector: LabelSelectorObject | undefined): LabelSelector | undefined {
  const isEmpty =
    Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;
  return isEmpty ? undefined : labelSelectorFromObject(selector);
}
