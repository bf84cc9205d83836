import { isRecord } from "../collections/is-record.js";
import { type ApiLevel, hasLevel, type LevelRange } from "../levels/api-level.js";

/** The form of a value in a configuration file. */
export type Shape =
  | { readonly kind: "text" | "flag" }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "fields"; readonly fields: ShapeFields };

export interface ShapeFields {
  readonly [name: string]: Shape & LevelRange;
}

/** The value of a shape. Fields may be missing; null is the same. */
export type ShapeValue<S> = S extends { readonly kind: "text" }
  ? string
  : S extends { readonly kind: "flag" }
    ? boolean
    : S extends { readonly kind: "list"; readonly of: infer Of }
      ? readonly ShapeValue<Of>[]
      : S extends { readonly kind: "fields"; readonly fields: infer Fields }
        ? { readonly [K in keyof Fields]?: ShapeValue<Fields[K]> | undefined }
        : never;

export const text = { kind: "text" } as const;
export const flag = { kind: "flag" } as const;

export function list<const S extends Shape>(of: S): { readonly kind: "list"; readonly of: S } {
  return { kind: "list", of };
}

export function fields<const F extends ShapeFields>(of: F): { readonly kind: "fields"; readonly fields: F } {
  return { kind: "fields", fields: of };
}

export interface ConfigurationKind<S extends Shape> {
  readonly kind: string;
  /** With the levels that know them. */
  readonly versions: { readonly [version: string]: LevelRange };
  /** Shape of the document without `apiVersion` and `kind`. */
  readonly shape: S;
}

/** Which documents a server accepts. */
export interface ConfigurationTerms {
  /** Full name of the group of configurations, in the profile. */
  readonly group: string;
  readonly level: ApiLevel;
}

/** A document of a kind, decoded strictly: throws an `Error` that names every field that is unknown at the level, or has the wrong type. */
export function readConfiguration<S extends Shape>(
  document: unknown,
  { kind, versions, shape }: ConfigurationKind<S>,
  { group, level }: ConfigurationTerms,
): ShapeValue<S> {
  if (!isRecord(document)) throw new Error(`no object of kind ${kind}`);
  const { apiVersion, kind: given, ...rest } = document;
  const apiVersions = Object.entries(versions)
    .filter(([, levels]) => hasLevel(levels, level))
    .map(([version]) => `${group}/${version}`);
  if (given !== kind || !apiVersions.includes(String(apiVersion))) {
    throw new Error(
      `no kind ${JSON.stringify(given ?? "")} is registered for version ${JSON.stringify(apiVersion ?? "")}: want ${kind} of ${apiVersions.join(" or ")}`,
    );
  }
  const problems: string[] = [];
  const value = decode(rest, shape, "", level, problems);
  if (problems.length > 0) throw new Error(`strict decoding error: ${problems.join(", ")}`);
  // `decode` has checked the value by the shape that the type is derived from.
  return value as ShapeValue<S>;
}

function decode(value: unknown, shape: Shape, path: string, level: ApiLevel, problems: string[]): unknown {
  if (value === null || value === undefined) return undefined;
  switch (shape.kind) {
    case "text":
      if (typeof value !== "string") problems.push(`${path}: must be a string`);
      return value;
    case "flag":
      if (typeof value !== "boolean") problems.push(`${path}: must be true or false`);
      return value;
    case "list": {
      if (!Array.isArray(value)) {
        problems.push(`${path}: must be a list`);
        return [];
      }
      const items: readonly unknown[] = value;
      return items.map((item, index) => {
        if (item === null) problems.push(`${path}[${index}]: must not be null`);
        return decode(item, shape.of, `${path}[${index}]`, level, problems);
      });
    }
    default:
      return decodeFields(value, shape.fields, path, level, problems);
  }
}

function decodeFields(
  value: unknown,
  known: ShapeFields,
  path: string,
  level: ApiLevel,
  problems: string[],
): unknown {
  if (!isRecord(value)) {
    problems.push(`${path}: must be an object`);
    return {};
  }
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const at = path === "" ? name : `${path}.${name}`;
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined || !hasLevel(field, level)) {
      problems.push(`unknown field ${JSON.stringify(at)}`);
      return [];
    }
    return [[name, decode(member, field, at, level, problems)]];
  });
  return Object.fromEntries(members);
}
