import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";

/** From 1.27 on, rules have the wildcards `*.` for the core group, `*.GROUP` and `*.*`. */
export function hasWildcards(level: ApiLevel): boolean {
  return isAtLeast(level, "1.27");
}

/** `groupDomain`: the domain of groups that have one, without the first dot of `.k8s.io`. */
export function resourceErrors(
  resources: readonly string[],
  path: FieldPath,
  groupDomain: string,
): FieldError[] {
  return [...overlapErrors(resources, path), ...nameErrors(resources, path, groupDomain)];
}

const overlap =
  "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";

function overlapErrors(resources: readonly string[], path: FieldPath): FieldError[] {
  const known = new Set<string>();
  const groups = new Map<string, { wildcard: boolean; others: boolean }>();
  let isDuplicate = false;
  for (const resource of resources) {
    if (known.has(resource)) isDuplicate = true;
    known.add(resource);
    const group = groupOf(resource);
    const found = groups.get(group) ?? { wildcard: false, others: false };
    if (resource.startsWith("*.")) found.wildcard = true;
    else found.others = true;
    groups.set(group, found);
  }
  const isOverlapping =
    (known.has("*.*") && known.size > 1) ||
    [...groups.values()].some(({ wildcard, others }) => wildcard && others);
  return [
    ...(isDuplicate
      ? [invalid(path, resources, "the same resource cannot be specified multiple times")]
      : []),
    ...(isOverlapping ? [invalid(path, resources, overlap)] : []),
  ];
}

/** Resources that the server stores for itself, without an API. */
const notServed = ["apiserveripinfo", "serviceipallocations", "servicenodeportallocations"];

function nameErrors(resources: readonly string[], path: FieldPath, groupDomain: string): FieldError[] {
  return resources.flatMap((resource, index) => {
    const why = nameProblem(resource, groupDomain);
    return why === undefined ? [] : [invalid(path.index(index), resource, why)];
  });
}

function nameProblem(resource: string, groupDomain: string): string | undefined {
  if (resource !== resource.toLowerCase()) return "resource name should not contain capital letters";
  if (resource === "*") {
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  }
  if (notServed.includes(resource)) return "resources which do not have REST API/s cannot be encrypted";
  const group = groupOf(resource);
  const events = `events.${groupDomain}`;
  if (group === events) {
    return `'*.${events}' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`;
  }
  if (group === "extensions") {
    return "'extensions' group has been removed and cannot be used for encryption";
  }
  if (group === "*" && resource !== "*.*") {
    return "encrypting the same resource across groups is not supported";
  }
  return undefined;
}

/** `apps` of `deployments.apps`; empty for the core group. */
function groupOf(resource: string): string {
  const dot = resource.indexOf(".");
  return dot < 0 ? "" : resource.slice(dot + 1);
}

/** The rules that may apply to a resource, the most specific first: `secrets`, and with wildcards `*.` and `*.*`. */
export function rulesFor(resource: string, level: ApiLevel): readonly string[] {
  if (!hasWildcards(level)) return [resource];
  return [resource, `*.${groupOf(resource)}`, "*.*"];
}
