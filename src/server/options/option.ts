import type { ApiLevel, LevelRange } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";

/** A value read from the command line, or the reason why it is invalid, to be printed after `--name: `. */
export type ParseResult<T> = { readonly value: T } | { readonly problem: string };

/** One startup option of the levels in its range. Declared with the functions of `value-types.ts`, in the tables of `groups/`. */
export interface OptionDeclaration<T> extends LevelRange {
  /** As `--help` prints it after the name: `int`, `strings`, `duration`; empty for a bool. */
  readonly typeName: string;
  /** One or two sentences. */
  readonly help: string;
  /** A single-letter form of the name: `-v 4`. */
  readonly shorthand?: string | undefined;
  /** Appended to the property's name: durations are milliseconds. */
  readonly unit?: "Ms" | undefined;
  /** Accepted for compatibility, but without effect here. The log says so when it is given. */
  readonly withoutEffect?: true;
  /** The first level above 1.23 at which using it is warned about. */
  readonly deprecatedSince?: ApiLevel | undefined;
  /** The default value depends only on the profile's words and the level. */
  defaultValue(naming: Naming, level: ApiLevel): T;
  /** `previous` is the value from earlier occurrences on the command line; repeatable options add to it. */
  parse(text: string, previous: T | undefined, naming: Naming, level: ApiLevel): ParseResult<T>;
  /** The value as written after `--name=`; empty when there is none. */
  format(value: T, naming: Naming): string;
  /** A message that begins with `flag`, the option as the user knows it (`--secure-port`); undefined when valid. */
  check?(value: T, flag: string, level: ApiLevel): string | undefined;
}

export interface OptionTable {
  readonly [name: string]: OptionDeclaration<unknown>;
}

export interface OptionGroup<Table extends OptionTable = OptionTable> {
  readonly title: string;
  readonly options: Table;
}

export function optionGroup<Table extends OptionTable>(title: string, options: Table): OptionGroup<Table> {
  return { title, options };
}

export function withoutEffect<Declaration extends OptionDeclaration<unknown>>(
  declaration: Declaration,
): Declaration {
  return { ...declaration, withoutEffect: true };
}

/** The property that holds an option's value: `store-servers` → `storeServers`, a duration's → `requestTimeoutMs`. */
export type PropertyName<Name extends string, Declaration> = Declaration extends { readonly unit: "Ms" }
  ? `${CamelCase<Name>}Ms`
  : CamelCase<Name>;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The values of a table's options by property name. */
export type ValuesOf<Table extends OptionTable> = {
  readonly [Name in keyof Table & string as PropertyName<
    Name,
    Table[Name]
  >]: Table[Name] extends OptionDeclaration<infer Value> ? Value : never;
};

/** The run-time counterpart of `PropertyName`. */
export function propertyName(name: string, declaration: Pick<OptionDeclaration<unknown>, "unit">): string {
  const camelCase = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return camelCase + (declaration.unit ?? "");
}
