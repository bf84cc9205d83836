import type { CelType } from "./cel-type.js";

/**
 * The estimated cost of expressions: an upper bound from what is known before they run. A definition whose rules cost too much is
 * refused, so the estimates equal Kubernetes' or are lower: this server accepts every definition that kube-apiserver accepts. The steps
 * charged at run time are another unit (`CelBudget`). Sources: KEP-2876, "Resource constraints"; cel-go, packages `checker` and `ext`.
 */

/** Bytes of a text, elements of a list, members of a map. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

/** What is known of the value of an expression before it runs. */
export interface Estimate {
  readonly cost: number;
  readonly type: CelType;
  /** Follows from the expression itself. */
  readonly size?: Size | undefined;
  /** Where the value is found: a variable, then names of fields, `@items`, `@keys`, `@values`. Undefined for computed values. */
  readonly path?: readonly string[] | undefined;
  /** The value of a literal integer. */
  readonly integer?: bigint | undefined;
}

/** An argument of a function. */
export interface SizedArgument {
  readonly size: Size;
  /** The size of the elements of a list of texts; undefined for lists of other types. */
  readonly textElement: Size | undefined;
  readonly isList: boolean;
  readonly integer: bigint | undefined;
}

export interface CallEstimate {
  readonly cost: number;
  readonly size?: Size | undefined;
}

export type EstimateCall = (args: readonly SizedArgument[]) => CallEstimate;

/** Sums and products stop here. */
const most = 2 ** 64;
const unlimited: Size = { min: 0, max: most };
const one: Size = { min: 1, max: 1 };
const perText = 0.1;
const perPatternText = 0.25;

const sized: ReadonlySet<string> = new Set(["bytes", "dyn", "list", "map", "string"]);
const fixedSize: ReadonlySet<string> = new Set([
  "bool",
  "cidr",
  "double",
  "duration",
  "format",
  "int",
  "ip",
  "quantity",
  "semver",
  "timestamp",
  "uint",
]);

export function saturated(cost: number): number {
  return Math.min(cost, most);
}

/** The size of a value; `root` is the type of the variables. */
export function estimatedSize({ size, path, type }: Estimate, root: CelType): Size {
  return size ?? sizeAt(path, root) ?? (fixedSize.has(type.kind) ? one : unlimited);
}

export function sizedArgument(estimate: Estimate, root: CelType): SizedArgument {
  const { type, path, integer } = estimate;
  return {
    size: estimatedSize(estimate, root),
    isList: type.kind === "list",
    textElement:
      type.kind === "list" && (type.element.kind === "string" || type.element.kind === "bytes")
        ? (sizeAt(path && [...path, "@items"], root) ?? unlimited)
        : undefined,
    integer,
  };
}

/** The first part of a path names a variable, and all variables have the type `root`. */
function sizeAt(path: readonly string[] | undefined, root: CelType): Size | undefined {
  if (path === undefined) return undefined;
  let type: CelType | undefined = root;
  for (const part of path.slice(1)) {
    type = partOf(type, part);
    if (type === undefined) return undefined;
  }
  return { min: 0, max: type.sizeMax ?? (sized.has(type.kind) ? most : 0) };
}

function partOf(type: CelType, part: string): CelType | undefined {
  switch (part) {
    case "@items":
    case "@values":
      return type.kind === "list" ? type.element : type.kind === "map" ? type.value : undefined;
    case "@keys":
      return type.kind === "map" ? type.key : undefined;
    default:
      if (type.kind === "object") return type.fields.get(part)?.type;
      // A member of a map by its name, where every one has the same known limit.
      return type.kind === "map" && type.value.kind === "dyn" && type.value.sizeMax !== undefined
        ? type.value
        : undefined;
  }
}

function traversal({ max }: Size, factor = perText): number {
  return Math.ceil(max * factor);
}

function add(a: Size, b: Size): Size {
  return { min: saturated(a.min + b.min), max: saturated(a.max + b.max) };
}

function multiply(a: Size, b: Size): Size {
  return { min: saturated(a.min * b.min), max: saturated(a.max * b.max) };
}

export function union(a: Size | undefined, b: Size | undefined): Size | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

const none: SizedArgument = { size: one, textElement: undefined, isList: false, integer: undefined };

/** Estimates by what a function does with its arguments; the first argument of a method is its receiver. */
export const callEstimates = {
  plain: () => ({ cost: 1 }),
  /** Reads the first argument. */
  scan: ([text = none]) => ({ cost: traversal(text.size) }),
  scanTwice: ([text = none]) => ({ cost: traversal(text.size, 2 * perText) }),
  /** Returns its argument. */
  same: ([value = none]) => ({ cost: 1, size: value.size }),
  /** Reads the first argument and makes a text of at most its size. */
  transform: ([text = none]) => ({ cost: traversal(text.size), size: text.size }),
  toBytes: ([text = none]) => ({
    cost: traversal(text.size),
    size: { min: text.size.min, max: text.size.max * 4 },
  }),
  fromBytes: ([bytes = none]) => ({
    cost: traversal(bytes.size),
    size: { min: Math.floor(bytes.size.min / 4), max: bytes.size.max },
  }),
  /** Puts a text in quotes; at most, every character is escaped. */
  quote: ([text = none]) => ({
    cost: traversal(text.size),
    size: { min: text.size.min + 2, max: saturated(text.size.max * 2 + 2) },
  }),
  compare: ([a = none, b = none]) => ({ cost: Math.ceil(Math.min(a.size.max, b.size.max) * perText) }),
  joinTexts: ([a = none, b = none]) => {
    const size = add(a.size, b.size);
    return { cost: traversal(size), size };
  },
  joinLists: ([a = none, b = none]) => ({ cost: 1, size: add(a.size, b.size) }),
  findInList: ([, list = none]) => ({ cost: list.size.max }),
  contains: ([text = none, part = none]) => ({ cost: traversal(text.size) * traversal(part.size) }),
  hasEnd: ([, part = none]) => ({ cost: traversal(part.size) }),
  matches: ([text = none, pattern = none]) => ({ cost: patternCost(text, pattern) }),
  find: ([text = none, pattern = none]) => ({
    cost: patternCost(text, pattern),
    size: { min: 0, max: text.size.max },
  }),
  /** Compares the elements of a list, or reads a text. */
  walk: ([target = none]) => {
    if (!target.isList) return { cost: traversal(target.size) };
    const each = 1 + (target.textElement === undefined ? 0 : traversal(target.textElement));
    return { cost: target.size.max * each };
  },
  copyList: ([list = none]) => newList(list.size),
  /** Walks as many levels of lists as the second argument says. */
  flatten: ([list = none, depth]) =>
    newList(list.size, depth === undefined ? 1 : Math.max(0, Number(depth.integer ?? most))),
  /** Compares each element with each. */
  distinct: ([list = none]) => newList(multiply(list.size, list.size), 2),
  sort: ([list = none]) =>
    newList(multiply(list.size, list.size), 2 + (list.textElement === undefined ? 0 : perText)),
  slice: ([list = none, from, to]) => {
    const max = Math.max(0, Number(to?.integer ?? list.size.max) - Number(from?.integer ?? 0));
    return newList({ min: max, max });
  },
  range: ([count]) => {
    const max = count?.integer === undefined ? most : Math.max(0, Number(count.integer));
    return newList({ min: max, max });
  },
  /** Compares each element of a list with each of another. */
  pairs: ([a = none, b = none]) => ({ cost: 1 + saturated(a.size.max * b.size.max) }),
  pairsTwice: ([a = none, b = none]) => ({ cost: 1 + saturated(2 * a.size.max * b.size.max) }),
  /** Compares two addresses of 16 bytes; a text is read first. */
  containsAddress: ([, other = none]) => ({ cost: 4 + addressCost(other) }),
  containsNetwork: ([, other = none]) => ({ cost: 7 + addressCost(other) }),
  validateFormat: ([, text = none]) => ({ cost: traversal(text.size) * formatFactor }),
  replace: ([text = none, from = none, to = none]) => ({
    cost: traversal(text.size, 2 * perText),
    size: replacedSize(text.size, from.size, to.size),
  }),
  split: ([text = none, , limit]) => ({
    cost: traversal(text.size, 2 * perText),
    size: { min: 0, max: limit?.integer === undefined ? text.size.max : limitOf(limit.integer) },
  }),
  join: ([list = none, by]) => {
    let size = multiply(list.size, list.textElement ?? unlimited);
    if (by !== undefined) {
      const { min, max } = list.size;
      size = add(size, multiply(by.size, { min: Math.max(0, min - 1), max: Math.max(0, max - 1) }));
    }
    return { cost: traversal(size), size };
  },
} as const satisfies Record<string, EstimateCall>;

function newList(size: Size, perElement = 1): CallEstimate {
  return { cost: saturated(traversal(size, perElement) + newListCost), size };
}

/** The call and the making of an empty list. */
const newListCost = 11;

/** Address values, unlike texts, have size one. */
function addressCost({ size }: SizedArgument): number {
  return size.max === one.max ? 0 : traversal(size);
}

/** The size of the longest regular expression behind a named format. */
const formatFactor = 32;

/** A text has at least one place where a pattern may match. */
function patternCost(text: SizedArgument, pattern: SizedArgument): number {
  return traversal(add(text.size, one)) * traversal(pattern.size, perPatternText);
}

/** A negative limit is none. */
function limitOf(limit: bigint): number {
  return limit < 0n ? most : Number(limit);
}

function replacedSize(text: Size, from: Size, to: Size): Size {
  let [min, max] = [0, 0];
  if (from.min === 0) max = saturated((text.max + 1) * to.max + text.max);
  else if (to.max <= from.min) max = text.max;
  else max = saturated(Math.ceil(text.max / from.min) * to.max);
  if (from.max === 0) min = (text.min + 1) * to.min + text.min;
  else if (from.max <= to.min) min = text.min;
  else min = Math.ceil(text.min / from.max) * to.min;
  return { min: saturated(min), max };
}

/** What a macro costs per element, apart from its own expressions, and what it costs once. */
export const macroCosts: Readonly<Record<string, { readonly each: number; readonly once: number }>> = {
  all: { each: 3, once: 1 },
  exists: { each: 4, once: 1 },
  exists_one: { each: 2, once: 2 },
  filter: { each: 13, once: 11 },
  map: { each: 12, once: 11 },
  // With a variable for the index or key, and one for the value.
  existsOne: { each: 2, once: 2 },
  transformList: { each: 12, once: 11 },
  transformMap: { each: 3, once: 31 },
  transformMapEntry: { each: 2, once: 31 },
};
