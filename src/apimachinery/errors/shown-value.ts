import { printJson } from "../json/json-print.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { shownCharactersMax } from "./printed-value.js";
import { quoted } from "./quoted-text.js";

/**
 * A value as Go prints maps of anything (`%+v`): `map[a:[1 2] b:<nil>]`. Stops soon after as many characters as an error shows, because the
 * value may be as large as a body.
 */
export function goMapText(value: JsonValue | undefined): string {
  return printed(value, {
    list: { open: "[", separator: " ", close: "]" },
    map: { open: "map[", separator: " ", close: "]" },
    key: (name) => `${name}:`,
    leaf: (leaf) => (leaf === null ? "<nil>" : isJsonObject(leaf) ? undefined : String(leaf)),
  });
}

/** A value as Go code (`%#v`): `map[string]interface {}{"a":[]interface {}{1, "x"}}`. Stops as early. */
export function goSyntaxText(value: JsonValue): string {
  return printed(value, {
    list: { open: "[]interface {}{", separator: ", ", close: "}" },
    map: { open: "map[string]interface {}{", separator: ", ", close: "}" },
    key: (name) => `${quoted(name)}:`,
    leaf(leaf) {
      if (typeof leaf === "string") return quoted(leaf);
      return leaf === null ? "interface {}(nil)" : isJsonObject(leaf) ? undefined : String(leaf);
    },
  });
}

/** JSON with the keys of every object sorted. Stops soon after as many characters as an error shows. */
export function sortedJsonText(value: JsonValue): string {
  return printed(value, {
    list: { open: "[", separator: ",", close: "]" },
    map: { open: "{", separator: ",", close: "}" },
    key: (name) => `${printJson(name)}:`,
    // A value that was left as text has no members either.
    leaf: (leaf) => (isJsonObject(leaf) && Object.keys(leaf).length > 0 ? undefined : printJson(leaf)),
  });
}

interface Notation {
  readonly list: Brackets;
  readonly map: Brackets;
  key(name: string): string;
  /** Undefined for an object whose members are to be printed. */
  leaf(value: JsonValue): string | undefined;
}

interface Brackets {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

function printed(value: JsonValue | undefined, notation: Notation): string {
  const { list, map, key, leaf } = notation;
  let text = "";
  const isFull = (): boolean => text.length > shownCharactersMax;
  const start = (whole: string): string => whole.slice(0, shownCharactersMax);
  const members = <M>(
    { open, separator, close }: Brackets,
    all: readonly M[],
    add: (one: M) => void,
  ): void => {
    text += open;
    for (const [index, one] of all.entries()) {
      if (isFull()) return;
      if (index > 0) text += separator;
      add(one);
    }
    text += close;
  };
  const walk = (one: JsonValue): void => {
    if (Array.isArray(one)) {
      members(list, one, walk);
      return;
    }
    const whole = leaf(typeof one === "string" ? start(one) : one);
    if (whole !== undefined || !isJsonObject(one)) {
      text += whole ?? "";
      return;
    }
    const names = Object.keys(one).filter((name) => one[name] !== undefined);
    members(map, names.sort(), (name) => {
      text += key(start(name));
      walk(one[name] ?? null);
    });
  };
  walk(value ?? null);
  return text;
}
