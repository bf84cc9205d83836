import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";

/** Fields whose values a server generates, and clients send back. */
const madeUp = new Set(["uid", "resourceVersion", "continue"]);

/** Maps values that the recorded server generated to those of the server on which the recording is replayed. */
export class KnownValues {
  readonly #values = new Map<string, string>();
  /** Generated names, which match no other text. */
  readonly #names = new Map<string, string>();

  /** Learns from two answers to one request. `isNamed`: the request did not choose the name. */
  learn(recorded: JsonValue, replayed: JsonValue, makesName: boolean): void {
    if (Array.isArray(recorded) && Array.isArray(replayed)) this.#learnItems(recorded, replayed);
    if (!isJsonObject(recorded) || !isJsonObject(replayed)) return;
    for (const [name, value] of Object.entries(recorded)) {
      const other = replayed[name];
      if (other === undefined) continue;
      const isName = makesName && name === "name";
      if ((isName || madeUp.has(name)) && typeof value === "string" && typeof other === "string") {
        (isName ? this.#names : this.#values).set(value, other);
      } else if (typeof value === "object") {
        this.learn(value, other, makesName && name === "metadata");
      }
    }
  }

  /** Matches items of lists by name. */
  #learnItems(recorded: readonly JsonValue[], replayed: readonly JsonValue[]): void {
    const byName = new Map(replayed.map((item) => [nameOf(item), item]));
    for (const item of recorded) {
      const other = nameOf(item) === undefined ? undefined : byName.get(nameOf(item));
      if (other !== undefined) this.learn(item, other, false);
    }
  }

  /** A request's body with the values of this server. */
  inBody(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item) => this.inBody(item));
    if (isJsonObject(value)) {
      // An operation of a JSON patch names its field.
      const target = typeof value.path === "string" ? (value.path.split("/").at(-1) ?? "") : "";
      return Object.fromEntries(
        Object.entries(value).map(([name, field]) => [
          name,
          this.#known(name === "value" ? target : name, field) ?? this.inBody(field),
        ]),
      );
    }
    return typeof value === "string" ? (this.#names.get(value) ?? value) : value;
  }

  #known(name: string, value: JsonValue | undefined): string | undefined {
    return madeUp.has(name) && typeof value === "string" ? this.#values.get(value) : undefined;
  }

  /** A request's path and query with the values of this server. */
  inTarget(target: string): string {
    const [path = "", query] = target.split("?", 2);
    const segments = path.split("/").map((segment) => {
      const known = this.#names.get(segment);
      return known === undefined ? segment : encodeURIComponent(known);
    });
    if (query === undefined) return segments.join("/");
    const parameters = new URLSearchParams(query);
    for (const [name, value] of parameters) {
      const known = this.#values.get(value);
      if (known !== undefined && madeUp.has(name)) parameters.set(name, known);
    }
    return `${segments.join("/")}?${parameters}`;
  }
}

function nameOf(item: JsonValue): string | undefined {
  const metadata = isJsonObject(item) ? item.metadata : undefined;
  if (!isJsonObject(metadata) || typeof metadata.name !== "string") return undefined;
  return `${String(metadata.namespace)}/${metadata.name}`;
}
