import type { Random } from "../robustness/random.js";

/** Bodies stay below the server's limit of 3 MiB, mostly. */
const bigBytes = 2_500_000;

const values: readonly unknown[] = [
  null,
  -1,
  "",
  "\ud800",
  [],
  [null],
  {},
  { a: null },
  { toString: 1 },
  { $patch: "delete" },
  { $retainKeys: ["a"] },
  "1Gi",
  "9e9999",
  "0177.0.0.1",
  "2022-13-45T00:00:00Z",
  9_007_199_254_740_992,
  1e300,
  0.5,
  true,
];
const texts = ["", "null", "[[", "{", "a: &a [*a]", "? [a]\n: b", "<<: 1", "\0", "- ".repeat(9000)];
const paths = [
  "/metadata/labels/a",
  "",
  "/",
  "/x/-",
  "/~2",
  "x",
  "/data/01",
  "/spec",
  "/metadata/finalizers/-",
];

/** Damage to bodies: small changes that break a rule, and growth that is within the limits but expensive. */
export class Mutation {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** JSON of the object with some places changed. */
  changed(object: object, big: boolean): string {
    const copy = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
    for (let changes = this.#random.between(0, 3); changes > 0; changes--) {
      this.#inside(copy, () => structuredClone(pickOf(this.#random, values)));
    }
    if (big) this.#inside(copy, (member) => this.#grown(member));
    return JSON.stringify(copy);
  }

  text(big: boolean): string {
    if (!big) return pickOf(this.#random, texts);
    const piece = pickOf(this.#random, ["[", '{"a":', "- ", "a: ", '"\\u0041', "9", "&a ", "? ", "\n", "%"]);
    return piece.repeat(bigBytes / piece.length);
  }

  jsonPatch(object: object, big: boolean): string {
    const random = this.#random;
    const pointers = [...paths, ...pointersOf(object)];
    const count = big ? random.between(1000, 10_000) : random.between(0, 4);
    const operations = Array.from({ length: count }, () => ({
      op: pickOf(random, ["add", "remove", "replace", "move", "copy", "test", "x"]),
      path: pickOf(random, pointers),
      from: pickOf(random, pointers),
      value: pickOf(random, values),
    }));
    // Mistakes end a patch early: a long one is often one operation again and again.
    return JSON.stringify(big && random.chance(0.7) ? operations.map(() => operations[0]) : operations);
  }

  /** The bytes are changed in place. */
  damaged(bytes: Buffer): Buffer {
    const random = this.#random;
    for (let i = random.between(0, 3); i > 0 && bytes.length > 0; i--) {
      bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
    }
    return random.chance(0.3) ? bytes.subarray(0, random.between(0, bytes.length)) : bytes;
  }

  /** Replaces one member somewhere below `root`. */
  #inside(root: Record<string, unknown>, make: (member: unknown) => unknown): void {
    let at = root;
    for (;;) {
      const keys = Object.keys(at);
      if (keys.length === 0) return;
      const key = pickOf(this.#random, keys);
      const member = at[key];
      if (typeof member !== "object" || member === null || this.#random.chance(0.25)) {
        at[key] = make(member);
        return;
      }
      at = member as Record<string, unknown>;
    }
  }

  #grown(member: unknown): unknown {
    const random = this.#random;
    const size = JSON.stringify(member ?? null).length + 12;
    const count = Math.floor((bigBytes / size) * random.next());
    if (Array.isArray(member)) {
      const [first = ""] = member as unknown[];
      const isObject = typeof first === "object" && first !== null;
      return Array.from({ length: count }, (_, i) =>
        isObject && random.chance(0.5) ? { ...first, name: `n${i}` } : first,
      );
    }
    if (typeof member === "object") {
      const [first = ""] = Object.values(member ?? {});
      const odd = random.chance(0.3);
      return Object.fromEntries(
        Array.from({ length: count }, (_, i) => [odd ? `odd key ${i}` : `key-${i}`, first]),
      );
    }
    if (random.chance(0.2)) return nested(random.between(100, 200_000));
    return pickOf(random, ["x", "9", "a.", "/", "\u00e9", "-", "*", "$(A)", "\n"]).repeat(count);
  }
}

/** Deeper than anything reads; built without recursion. */
function nested(depth: number): unknown {
  let value: unknown = {};
  // JSON.stringify itself would overflow the stack.
  for (let i = Math.min(depth, 2000); i > 0; i--) value = { a: value };
  return value;
}

function pointersOf(object: object, prefix = ""): string[] {
  return Object.entries(object).flatMap(([key, value]: [string, unknown]) => {
    const pointer = `${prefix}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [pointer, ...(typeof value === "object" && value !== null ? pointersOf(value, pointer) : [])];
  });
}

export function pickOf<T>(random: Random, items: readonly T[]): T {
  const [first, ...others] = items;
  if (items.length === 0) throw new RangeError("nothing to pick from");
  return random.pick([first as T, ...others]); // there is a first one
}
