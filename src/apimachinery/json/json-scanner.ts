import { Buffer } from "node:buffer";
import { WrittenNumber } from "./written-number.js";

/** Text that is not JSON. `message` uses the words of Kubernetes' parser. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

/** Invalid UTF-8 becomes U+FFFD. */
export function textOf(input: string | Uint8Array): string {
  if (typeof input === "string") return input;
  return Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString("utf8");
}

/** Reads the scalars of a JSON text from a position on, and says what is wrong there. Every method throws `JsonSyntaxError`. */
export class JsonScanner {
  readonly #text: string;
  readonly #stringPart = /[ !#-[\]-\uffff]*/y;
  readonly #numberPart = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
  readonly #keepsNumberTexts: boolean;
  #at = 0;

  constructor(text: string, keepsNumberTexts: boolean) {
    this.#text = text;
    this.#keepsNumberTexts = keepsNumberTexts;
  }

  /** The next character that is not white space; undefined at the end. */
  next(): string | undefined {
    this.#skipWhitespace();
    return this.#text[this.#at];
  }

  /** Passes over one character. */
  pass(): void {
    this.#at++;
  }

  scalar(): string | number | bigint | boolean | WrittenNumber | null {
    const character = this.#text[this.#at];
    switch (character) {
      case '"':
        return this.string();
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
      default:
        if (character === "-" || isDigit(character)) return this.#number();
        return this.invalid("looking for beginning of value");
    }
  }

  string(): string {
    const end = this.#stringEnd();
    if (end !== undefined) {
      try {
        const value: string = JSON.parse(this.#text.slice(this.#at, end));
        this.#at = end;
        // An escaped lone surrogate stands for no character.
        return value.toWellFormed();
      } catch {
        // Read again below, to find out what is wrong.
      }
    }
    const start = ++this.#at;
    const part = this.#stringPart;
    part.lastIndex = start;
    part.test(this.#text);
    this.#at = part.lastIndex;
    if (this.#text.charCodeAt(this.#at) === quote) {
      const value = this.#text.slice(start, this.#at);
      this.#at++;
      return value.toWellFormed();
    }
    return this.#badString();
  }

  /** Finds the mistake in a string, from the first character on that is not plain. */
  #badString(): never {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      // Negated, because the code is not a number at the end of the text.
      if (code === quote || !(code >= 0x20)) this.invalid("in string literal");
      this.#at++;
      if (code === backslash) this.#skipEscape();
    }
  }

  /**
   * The position after the closing quote of a string with escapes. Undefined for a string without them, which is faster to slice, and for
   * one that does not end.
   */
  #stringEnd(): number | undefined {
    let hasEscape = false;
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) return hasEscape ? at + 1 : undefined;
      if (code !== 0x5c) continue;
      hasEscape = true;
      at++;
    }
    return undefined;
  }

  #skipEscape(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== lowerU) {
      if (!escapedCodes.has(code)) this.#unfinished("in string escape code");
      this.#at++;
      return;
    }
    this.#at++;
    for (let digits = 0; digits < 4; digits++) {
      if (!isHexDigitCode(this.#text.charCodeAt(this.#at))) {
        this.#unfinished("in \\u hexadecimal character escape");
      }
      this.#at++;
    }
  }

  #number(): number | bigint | WrittenNumber {
    const shape = this.#numberPart;
    shape.lastIndex = this.#at;
    const found = shape.exec(this.#text);
    const rest = found === null ? this.#at + 1 : shape.lastIndex;
    const next = this.#text[rest];
    if (found === null) {
      this.#at = rest;
      return this.#unfinished("in numeric literal");
    }
    // The shape takes a fraction or an exponent only when it is complete.
    if (next === "." && found[1] === undefined && found[2] === undefined) {
      this.#at = rest + 1;
      return this.#unfinished("after decimal point in numeric literal");
    }
    if ((next === "e" || next === "E") && found[2] === undefined) {
      const sign = this.#text[rest + 1];
      this.#at = rest + (sign === "+" || sign === "-" ? 2 : 1);
      return this.#unfinished("in exponent of numeric literal");
    }
    this.#at = rest;
    const number = Number(found[0]);
    if (!Number.isFinite(number)) {
      const shown = found[0].slice(0, shownDigitsMax);
      throw new JsonSyntaxError(`json: cannot unmarshal number ${shown} into Go value of type float64`);
    }
    const isInteger = found[1] === undefined && found[2] === undefined;
    if (isInteger) return Number.isSafeInteger(number) ? number : BigInt(found[0]);
    return this.#keepsNumberTexts && `${number}` !== found[0] ? new WrittenNumber(number, found[0]) : number;
  }

  #literal<T extends boolean | null>(word: string, value: T): T {
    for (let index = 1; index < word.length; index++) {
      this.#at++;
      if (this.#text[this.#at] !== word[index]) {
        this.#unfinished(`in literal ${word} (expecting '${word[index]}')`);
      }
    }
    this.#at++;
    return value;
  }

  #skipWhitespace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  /** An error at the next character, where white space is not allowed either. */
  #unfinished(context: string): never {
    // At the end of the text, Kubernetes' parser tries a space to see whether that would complete the value.
    if (this.#at >= this.#text.length) throw new JsonSyntaxError(`invalid character ' ' ${context}`);
    return this.invalid(context);
  }

  /** An error at the next character. */
  invalid(context: string): never {
    const character = this.#text[this.#at];
    if (character === undefined) throw new JsonSyntaxError("unexpected end of JSON input");
    throw new JsonSyntaxError(`invalid character ${quoteByte(this.#text, this.#at)} ${context}`);
  }
}

/** Of a number in an error. */
const shownDigitsMax = 40;
const quote = 0x22;
const backslash = 0x5c;
const lowerU = 0x75;
const escapedCodes: ReadonlySet<number> = new Set(
  [...'"\\/bfnrt'].map((character) => character.charCodeAt(0)),
);

export function isDigitCode(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isHexDigitCode(code: number): boolean {
  return isDigitCode(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

const quoted: ReadonlyMap<string, string> = new Map([
  ["'", "'\\''"],
  ["\\", "'\\\\'"],
  ["\u0007", "'\\a'"],
  ["\b", "'\\b'"],
  ["\f", "'\\f'"],
  ["\n", "'\\n'"],
  ["\r", "'\\r'"],
  ["\t", "'\\t'"],
  ["\v", "'\\v'"],
]);

function isDigit(character: string | undefined): boolean {
  return character !== undefined && isDigitCode(character.charCodeAt(0));
}

/** Kubernetes' parser works on bytes, so it names the first byte of a character beyond ASCII. */
function quoteByte(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const known = quoted.get(character);
  if (known !== undefined) return known;
  const byte = Buffer.from(character)[0] ?? 0;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, "0")}'`;
  return `'${String.fromCharCode(byte)}'`;
}
