/** Stands for the value of a member in JSON that was parsed without it (`parse-except.ts`). */
export class DeferredMember {
  /** Its JSON as this server prints it. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The text of each member that has not been read, by its getter. */
const unread = new WeakMap<() => unknown, string>();

/** Defines a member that `decode` makes from the text on first read. Until then the object prints the text unchanged. */
export function deferMember(
  object: object,
  name: string,
  { text }: DeferredMember,
  decode: (json: string) => object,
): void {
  const set = (value: unknown): void => define(object, name, value);
  const get = (): object => {
    const value = decode(text);
    set(value);
    return value;
  };
  unread.set(get, text);
  Object.defineProperty(object, name, { get, set, enumerable: true, configurable: true });
}

function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** The JSON of a member that has not been read; undefined for every other. */
export function deferredText(object: object, name: string): string | undefined {
  const get = Object.getOwnPropertyDescriptor(object, name)?.get;
  return get && unread.get(get);
}
