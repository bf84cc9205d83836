import type { Blanks } from "../json-blank.js";
import { allSteps, type Steps } from "../steps.js";

/** Stands for a member's value in JSON that was parsed without it (`parse-leaving.ts`). */
export class UnreadMember {
  /** Its JSON as this server prints it. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

interface Unread {
  readonly text: string;
  readonly decode: (json: string) => Steps<object>;
}

const unread = new WeakMap<() => unknown, Unread>();

/** Defines a member whose value `decode` makes of the text when it is first read. Until then the object prints the text as it is. */
export function deferMember(
  object: object,
  name: string,
  { text }: UnreadMember,
  decode: (json: string) => Steps<object>,
): void {
  const set = (value: unknown): void => define(object, name, value);
  const get = (): object => {
    const value = allSteps(decode(text));
    set(value);
    return value;
  };
  unread.set(get, { text, decode });
  Object.defineProperty(object, name, { get, set, enumerable: true, configurable: true });
}

function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function unreadOf(object: object, name: string): Unread | undefined {
  const get = Object.getOwnPropertyDescriptor(object, name)?.get;
  return get && unread.get(get);
}

/** The JSON of a member that has not been read; undefined for every other. */
export function deferredText(object: object, name: string): string | undefined {
  return unreadOf(object, name)?.text;
}

/**
 * Reads the members that are still text, in steps, where something else would read one in the middle of a step. Lists on the way are those of
 * their items.
 */
export function* readingDeferred(value: unknown, members: Blanks): Steps<void> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) yield* readingDeferred(item, members);
    return;
  }
  for (const [name, inner] of Object.entries(members)) {
    const known = unreadOf(value, name);
    if (known !== undefined) {
      const read = yield* known.decode(known.text);
      // Unless somebody has read or set it meanwhile.
      if (unreadOf(value, name) === known) define(value, name, read);
      yield;
    } else if (inner !== "blank") {
      yield* readingDeferred((value as Readonly<Record<string, unknown>>)[name], inner);
    }
  }
}
