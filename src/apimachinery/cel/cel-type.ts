import { celTypePrefix } from "../../naming/cel-names.js";

/** Types of expressions in the Common Expression Language. Source: cel-spec, "Types and Conversions". */
export type CelType = ScalarType | ListType | MapType | ObjectType | OptionalType | ParameterType;

export type ScalarKind =
  | "authorizer"
  | "bool"
  | "bytes"
  | "cidr"
  | "decision"
  | "double"
  | "duration"
  | "dyn"
  | "format"
  | "groupcheck"
  | "int"
  | "ip"
  | "null"
  | "pathcheck"
  | "quantity"
  | "resourcecheck"
  | "semver"
  | "string"
  | "timestamp"
  | "type"
  | "uint"
  | "url";

export interface ScalarType {
  readonly kind: ScalarKind;
  /** Maximum length in bytes, if known. */
  readonly sizeMax?: number | undefined;
}

export interface ListType {
  readonly kind: "list";
  readonly element: CelType;
  readonly sizeMax?: number | undefined;
  /**
   * Sets are equal in any order; associative lists are compared and joined by their keys. Default: an ordinary list.
   */
  readonly relation?: "set" | "map" | undefined;
  /** Field names that identify the elements of a `map`. */
  readonly keys?: readonly string[] | undefined;
}

export interface MapType {
  readonly kind: "map";
  readonly key: CelType;
  readonly value: CelType;
  readonly sizeMax?: number | undefined;
}

/** A value that may be missing: `self.?a`. */
export interface OptionalType {
  readonly kind: "optional";
  readonly element: CelType;
  readonly sizeMax?: undefined;
}

export interface ObjectType {
  readonly kind: "object";
  /** The name in messages. */
  readonly name: string;
  /** Fields by their names in expressions. */
  readonly fields: ReadonlyMap<string, ObjectField>;
  /** Whether it may have any other field, of any type. */
  readonly isOpen?: boolean | undefined;
  readonly sizeMax?: undefined;
}

export interface ObjectField {
  /** The name in JSON. */
  readonly name: string;
  readonly type: CelType;
}

/** A type parameter in a function signature; equal names mean the same type. */
export interface ParameterType {
  readonly kind: "parameter";
  readonly name: string;
  readonly sizeMax?: undefined;
}

export const scalarTypes = {
  authorizer: { kind: "authorizer" },
  bool: { kind: "bool" },
  bytes: { kind: "bytes" },
  cidr: { kind: "cidr" },
  decision: { kind: "decision" },
  double: { kind: "double" },
  duration: { kind: "duration" },
  dyn: { kind: "dyn" },
  format: { kind: "format" },
  groupcheck: { kind: "groupcheck" },
  int: { kind: "int" },
  ip: { kind: "ip" },
  null: { kind: "null" },
  pathcheck: { kind: "pathcheck" },
  quantity: { kind: "quantity" },
  resourcecheck: { kind: "resourcecheck" },
  semver: { kind: "semver" },
  string: { kind: "string" },
  timestamp: { kind: "timestamp" },
  type: { kind: "type" },
  uint: { kind: "uint" },
  url: { kind: "url" },
} as const satisfies Record<ScalarKind, ScalarType>;

export function listOf(element: CelType, sizeMax?: number): ListType {
  return { kind: "list", element, sizeMax };
}

export function optionalOf(element: CelType): OptionalType {
  return { kind: "optional", element };
}

const namedKinds: Partial<Record<CelType["kind"], string>> = {
  authorizer: `${celTypePrefix}.authorization.Authorizer`,
  cidr: "net.CIDR",
  decision: `${celTypePrefix}.authorization.Decision`,
  duration: "google.protobuf.Duration",
  format: `${celTypePrefix}.NamedFormat`,
  groupcheck: `${celTypePrefix}.authorization.GroupCheck`,
  ip: "net.IP",
  null: "null_type",
  pathcheck: `${celTypePrefix}.authorization.PathCheck`,
  quantity: `${celTypePrefix}.Quantity`,
  resourcecheck: `${celTypePrefix}.authorization.ResourceCheck`,
  semver: `${celTypePrefix}.Semver`,
  timestamp: "google.protobuf.Timestamp",
  url: `${celTypePrefix}.URL`,
};

/** As `type(x)` prints it, and messages about the type of a whole expression. */
export function typeText(type: CelType): string {
  return printed(type, namedKinds);
}

/** Messages about parts of an expression have short names for these. */
const namedInErrors: typeof namedKinds = {
  ...namedKinds,
  duration: "duration",
  null: "null",
  timestamp: "timestamp",
};

/** As messages about parts of an expression print it. */
export function typeTextInError(type: CelType): string {
  return printed(type, namedInErrors);
}

function printed(type: CelType, names: typeof namedKinds): string {
  switch (type.kind) {
    case "list":
      return `list(${printed(type.element, names)})`;
    case "map":
      return `map(${printed(type.key, names)}, ${printed(type.value, names)})`;
    case "object":
      return type.name;
    case "parameter":
      return type.name;
    case "optional":
      return `optional_type(${printed(type.element, names)})`;
    default:
      return names[type.kind] ?? type.kind;
  }
}

/** The element type of an empty literal or of `optional.none()`: whatever type the rest of the expression needs. */
export const undecided: ParameterType = { kind: "parameter", name: "dyn" };

export type Bindings = Map<string, CelType>;

/** Whether a value of type `actual` fits `wanted`; binds the type parameters of `wanted`. */
export function isAssignable(wanted: CelType, actual: CelType, bindings?: Bindings): boolean {
  if (wanted.kind === "parameter") {
    const bound = bindings?.get(wanted.name);
    if (bound === undefined) {
      bindings?.set(wanted.name, actual);
      return true;
    }
    if (!isAssignable(bound, actual) && !isAssignable(actual, bound)) return false;
    bindings?.set(wanted.name, broader(bound, actual));
    return true;
  }
  if (wanted.kind === "dyn" || actual.kind === "dyn" || actual.kind === "parameter") return true;
  if (actual.kind === "null") return wanted.kind === "null" || mayBeNull(wanted);
  if (wanted.kind === "null") return mayBeNull(actual);
  if (wanted.kind === "list" || wanted.kind === "optional") {
    return actual.kind === wanted.kind && isAssignable(wanted.element, actual.element, bindings);
  }
  if (wanted.kind === "map") {
    return (
      actual.kind === "map" &&
      isAssignable(wanted.key, actual.key, bindings) &&
      isAssignable(wanted.value, actual.value, bindings)
    );
  }
  if (wanted.kind === "object") return actual.kind === "object" && actual.name === wanted.name;
  return wanted.kind === actual.kind;
}

const neverNull: ReadonlySet<CelType["kind"]> = new Set([
  "bool",
  "bytes",
  "double",
  "int",
  "list",
  "map",
  "string",
  "type",
  "uint",
]);

function mayBeNull({ kind }: CelType): boolean {
  return !neverNull.has(kind);
}

/** Whether the first of two types that must be equal is `null` and the second is another type. */
export function isNullFirst(first: CelType, second: CelType): boolean {
  return first.kind === "null" && !["dyn", "null", "parameter"].includes(second.kind);
}

/** The less specific of two types that fit each other: `dyn` rather than `int`. */
export function broader(a: CelType, b: CelType): CelType {
  if (a.kind === "parameter") return b;
  if (b.kind === "parameter") return a;
  if (a.kind === "dyn" || b.kind === "null") return a;
  if (b.kind === "dyn" || a.kind === "null") return b;
  if (a.kind === "list" && b.kind === "list") return joinedParts(a, b, broader(a.element, b.element));
  if (a.kind === "optional" && b.kind === "optional") return optionalOf(broader(a.element, b.element));
  if (a.kind === "map" && b.kind === "map") {
    const [key, value] = [broader(a.key, b.key), broader(a.value, b.value)];
    return key === a.key && value === a.value ? a : { kind: "map", key, value };
  }
  return a;
}

function joinedParts(a: ListType, b: ListType, element: CelType): ListType {
  return element === a.element ? a : element === b.element ? b : listOf(element);
}

/** Whether two types are equal, where an undecided part equals any. */
export function isSameType(a: CelType, b: CelType): boolean {
  if (a.kind === "parameter" || b.kind === "parameter") return true;
  if (a.kind === "list" || a.kind === "optional") {
    return b.kind === a.kind && isSameType(a.element, b.element);
  }
  if (a.kind === "map") return b.kind === "map" && isSameType(a.key, b.key) && isSameType(a.value, b.value);
  if (a.kind === "object") return b.kind === "object" && b.name === a.name;
  return a.kind === b.kind;
}

export function withBindings(type: CelType, bindings: Bindings): CelType {
  switch (type.kind) {
    case "parameter":
      return bindings.get(type.name) ?? undecided;
    case "list":
    case "optional":
      return { kind: type.kind, element: withBindings(type.element, bindings) };
    case "map":
      return {
        kind: "map",
        key: withBindings(type.key, bindings),
        value: withBindings(type.value, bindings),
      };
    default:
      return type;
  }
}
