import type { Blanks } from "../json-blank.js";
import type { Steps } from "../steps.js";

/** Stands for a member's value in JSON that was parsed without it (`parse-leaving.ts`). */
export class UnreadMember {
  /** Its JSON as this server prints it. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const texts = new WeakMap<() => unknown, string>();

/** Defines a member whose value `decode` makes of the text when it is first read. Until then the object prints the text as it is. */
export function deferMember(
  object: object,
  name: string,
  { text }: UnreadMember,
  decode: (json: string) => object,
): void {
  const set = (value: unknown): void => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  };
  const get = (): object => {
    const value = decode(text);
    set(value);
    return value;
  };
  texts.set(get, text);
  Object.defineProperty(object, name, { get, set, enumerable: true, configurable: true });
}

/** The JSON of a member that has not been read; undefined for every other. */
export function deferredText(object: object, name: string): string | undefined {
  const get = Object.getOwnPropertyDescriptor(object, name)?.get;
  return get && texts.get(get);
}

/**
 * Reads the members that are still text, each in a step of its own, where something else would read one in the middle of a step. Lists on the way
 * are those of their items.
 */
export function* readingDeferred(value: unknown, members: Blanks): Steps<void> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) yield* readingDeferred(item, members);
    return;
  }
  for (const [name, inner] of Object.entries(members)) {
    const isText = deferredText(value, name) !== undefined;
    const member: unknown = (value as Readonly<Record<string, unknown>>)[name];
    if (isText) yield;
    else if (inner !== "blank") yield* readingDeferred(member, inner);
  }
}
