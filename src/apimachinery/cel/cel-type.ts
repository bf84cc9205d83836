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
  format: "NamedFormat",
  groupcheck: `${celTypePrefix}.authorization.GroupCheck`,
  ip: "net.IP",
  null: "null_type",
  pathcheck: `${celTypePrefix}.authorization.PathCheck`,
  quantity: "Quantity",
  resourcecheck: `${celTypePrefix}.authorization.ResourceCheck`,
  semver: `${celTypePrefix}.Semver`,
  timestamp: "google.protobuf.Timestamp",
  url: "net.url",
};

/** As messages and `type(x)` print it. */
export function typeText(type: CelType): string {
  switch (type.kind) {
    case "list":
      return `list(${typeText(type.element)})`;
    case "map":
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case "object":
      return type.name;
    case "parameter":
      return type.name;
    case "optional":
      return `optional_type(${typeText(type.element)})`;
    default:
      return namedKinds[type.kind] ?? type.kind;
  }
}

export type Bindings = Map<string, CelType>;

/** Whether a value of type `actual` fits `wanted`; binds the type parameters of `wanted`. */
export function isAssignable(wanted: CelType, actual: CelType, bindings?: Bindings): boolean {
  if (wanted.kind === "parameter") {
    const bound = bindings?.get(wanted.name);
    if (bound === undefined) {
      bindings?.set(wanted.name, actual);
      return true;
    }
    if (isAssignable(bound, actual)) return true;
    if (!isAssignable(actual, bound)) return false;
    bindings?.set(wanted.name, actual);
    return true;
  }
  if (wanted.kind === "dyn" || actual.kind === "dyn" || actual.kind === "parameter") return true;
  if (actual.kind === "null") return wanted.kind === "null" || isMessage(wanted);
  if (wanted.kind === "null") return isMessage(actual);
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

function isMessage({ kind }: CelType): boolean {
  return kind === "object" || kind === "timestamp" || kind === "duration";
}

export function withBindings(type: CelType, bindings: Bindings): CelType {
  switch (type.kind) {
    case "parameter":
      return bindings.get(type.name) ?? scalarTypes.dyn;
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
