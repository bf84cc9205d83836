import { isRecord } from "../../apimachinery/collections/is-record.js";
/** Reads the fields of a plugin's configuration. Every method throws an `Error` that names the invalid field. */
export class ConfigurationReader {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #path: string;

  private constructor(fields: Readonly<Record<string, unknown>>, path: string) {
    this.#fields = fields;
    this.#path = path;
  }

  /** A configuration of `kind` in one of `apiVersions`; without one, an empty configuration. */
  static of(value: unknown, kind: string, apiVersions: readonly string[]): ConfigurationReader {
    if (value === undefined) return new ConfigurationReader({}, "");
    if (!isRecord(value)) throw new Error(`no object of kind ${kind}`);
    const { apiVersion, kind: given, ...fields } = value;
    if (given !== kind || !apiVersions.includes(String(apiVersion))) {
      const found = `${JSON.stringify(apiVersion ?? "")}, kind ${JSON.stringify(given ?? "")}`;
      throw new Error(`want ${kind} of ${apiVersions.join(" or ")}, got version ${found}`);
    }
    return new ConfigurationReader(fields, "");
  }

  /** Fields without a kind. */
  static plain(value: unknown): ConfigurationReader {
    if (!isRecord(value)) throw new Error("not an object");
    return new ConfigurationReader(value, "");
  }

  /** Refuses all other fields, because a misspelled one would have no effect. */
  allow(...names: readonly string[]): void {
    const unknown = Object.keys(this.#fields).find((name) => !names.includes(name));
    if (unknown !== undefined) throw this.problem(unknown, "unknown field");
  }

  names(): readonly string[] {
    return Object.keys(this.#fields);
  }

  /** Empty when missing. */
  record(name: string): ConfigurationReader {
    const value = this.#fields[name] ?? {};
    if (!isRecord(value)) throw this.problem(name, "must be an object");
    return new ConfigurationReader(value, this.#pathOf(name));
  }

  /** Empty when missing. */
  records(name: string): readonly ConfigurationReader[] {
    return this.#list(name).map((item, index) => {
      const path = `${name}[${index}]`;
      if (!isRecord(item)) throw this.problem(path, "must be an object");
      return new ConfigurationReader(item, this.#pathOf(path));
    });
  }

  text(name: string): string | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string") throw this.problem(name, "must be a string");
    return value;
  }

  /** Empty when missing. */
  texts(name: string): readonly string[] {
    return this.#list(name).map((item, index) => {
      if (typeof item !== "string") throw this.problem(`${name}[${index}]`, "must be a string");
      return item;
    });
  }

  integer(name: string): number | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "number" || !Number.isSafeInteger(value)) {
      throw this.problem(name, "must be a whole number");
    }
    return value;
  }

  boolean(name: string): boolean | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "boolean") throw this.problem(name, "must be true or false");
    return value;
  }

  problem(name: string, why: string): Error {
    return new Error(`${this.#pathOf(name)}: ${why}`);
  }

  #list(name: string): readonly unknown[] {
    const value = this.#fields[name] ?? [];
    if (!Array.isArray(value)) throw this.problem(name, "must be a list");
    return value;
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }
}
