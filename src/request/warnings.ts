import { toHeader } from "../apimachinery/requests/header-text.js";
import type { RequestOrigin } from "./request-origin.js";

type HeaderTarget = Pick<RequestOrigin, "addResponseHeader" | "removeResponseHeader">;

/** Limit of all texts together, in characters; beyond it each text is cut. */
const charactersMax = 4096;
/** Length of each cut text. */
const cutCharacters = 256;

const unsendable = /[^\x20-\x7e\u00a0-\u{10ffff}]/u;

/** The `Warning` headers of an answer. Source: kube-apiserver 1.23, `warning` filter. */
export class Warnings {
  readonly #origin: HeaderTarget;
  readonly #texts = new Set<string>();
  #written = 0;
  #isCutting = false;

  constructor(origin: HeaderTarget) {
    this.#origin = origin;
  }

  get texts(): readonly string[] {
    return [...this.#texts];
  }

  /** Each text is sent once. One with control characters is not: they would end the header, and RFC 7230 allows no escape for them. */
  add(text: string): void {
    if (text === "" || this.#texts.has(text) || unsendable.test(text)) return;
    if (this.#isCutting && this.#written >= charactersMax) return;
    this.#texts.add(text);
    if (!this.#isCutting && this.#written + lengthOf(text) > charactersMax) {
      this.#isCutting = true;
      this.#written = 0;
      this.#origin.removeResponseHeader("Warning");
      for (const each of this.#texts) this.#write(each);
    } else {
      this.#write(text);
    }
  }

  #write(text: string): void {
    const told = this.#isCutting ? firstCharacters(text, cutCharacters).join("") : text;
    this.#written += lengthOf(told);
    // RFC 7234 §5.5, with code 299 and no agent.
    this.#origin.addResponseHeader("Warning", `299 - ${quoted(told)}`);
  }
}

/** Length in characters; above the limit, only that it is above. */
function lengthOf(text: string): number {
  return firstCharacters(text, charactersMax + 1).length;
}

/** A webhook may send megabytes, so only as much is read as is needed. */
function firstCharacters(text: string, count: number): string[] {
  return Array.from(text.slice(0, 2 * count)).slice(0, count);
}

function quoted(text: string): string {
  return `"${toHeader(text).replace(/["\\]/g, "\\$&")}"`;
}
