import { aggregateText } from "../../apimachinery/errors/aggregate-text.js";
import type { CustomResourceDefinitionNames } from "../../apis/gen/apiextensions-v1.js";

/** Why a name is not accepted, in the words of kube-apiserver 1.23. */
export interface NameConflict {
  readonly reason: string;
  readonly message: string;
}

export interface AcceptedNames {
  readonly names: CustomResourceDefinitionNames;
  /** The last conflict that was found. */
  readonly conflict: NameConflict | undefined;
}

/** Names in use by other definitions of the group. */
export interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** The accepted names of a definition, as others see them. */
export function usedBy({
  plural,
  singular,
  shortNames = [],
  kind,
  listKind,
}: CustomResourceDefinitionNames): UsedNames {
  const given = (names: readonly (string | undefined)[]): Set<string> =>
    new Set(names.filter((name): name is string => name !== undefined && name !== ""));
  return { resources: given([plural, singular, ...shortNames]), kinds: given([kind, listKind]) };
}

/** Whether two definitions use one name. */
export function overlap(a: UsedNames, b: UsedNames): boolean {
  const meet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    [...one].some((name) => other.has(name));
  return meet(a.resources, b.resources) || meet(a.kinds, b.kinds);
}

/** Accepts the requested names that are free; for the others the previously accepted name stays. */
export function acceptNames(
  requested: CustomResourceDefinitionNames,
  accepted: CustomResourceDefinitionNames,
  used: UsedNames,
): AcceptedNames {
  let conflict: NameConflict | undefined;
  const check = (reason: string, name: string, before: string, taken: ReadonlySet<string>): boolean => {
    if (name === before || name === "" || !taken.has(name)) return true;
    conflict = { reason, message: `${JSON.stringify(name)} is already in use` };
    return false;
  };
  const { plural, singular = "", kind, listKind = "", shortNames = [], categories } = requested;
  const names: CustomResourceDefinitionNames = { ...accepted };
  if (check("PluralConflict", plural, accepted.plural, used.resources)) names.plural = plural;
  if (check("SingularConflict", singular, accepted.singular ?? "", used.resources)) names.singular = singular;
  const before = new Set(accepted.shortNames ?? []);
  const taken = shortNames.filter((name) => !before.has(name) && used.resources.has(name));
  if (taken.length === 0) {
    names.shortNames = shortNames.length === 0 ? undefined : shortNames;
  } else {
    const message = aggregateText(taken.map((name) => `${JSON.stringify(name)} is already in use`));
    conflict = { reason: "ShortNamesConflict", message };
  }
  if (check("KindConflict", kind, accepted.kind, used.kinds)) names.kind = kind;
  if (check("ListKindConflict", listKind, accepted.listKind ?? "", used.kinds)) names.listKind = listKind;
  names.categories = categories;
  return { names, conflict };
}
