/** One alternative of an `Accept` header. Names and parameter names are in lower case. */
export interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  /** 0 to 1; default 1. */
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Real clients send less, but a header may have a megabyte. */
const acceptLengthMax = 16_384;

/**
 * The alternatives of an `Accept` header, best first. Malformed ones and everything after 16 KiB are left out. As in Kubernetes, quality 0
 * excludes nothing, but comes last.
 */
export function parseAccept(header: string): readonly MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const text of splitOutsideQuotes(firstAlternatives(header), ",")) {
    const range = parseMediaRange(text);
    if (range !== undefined) ranges.push(range);
  }
  return ranges.sort((a, b) => b.quality - a.quality || wildcards(a) - wildcards(b));
}

/** The alternatives of a request; without the header, or with an empty one, it accepts anything. */
export function acceptedRanges(header: string | undefined): readonly MediaRange[] {
  return parseAccept(header === undefined || header === "" ? "*/*" : header);
}

/** The part of an `Accept` header that is read: whole alternatives, up to 16 KiB. */
export function firstAlternatives(header: string): string {
  if (header.length <= acceptLengthMax) return header;
  return header.slice(0, Math.max(0, header.lastIndexOf(",", acceptLengthMax)));
}

function wildcards(range: MediaRange): number {
  return (range.type === "*" ? 2 : 0) + (range.subtype === "*" ? 1 : 0);
}

/** The media type that a `Content-Type` names, in lower case and without its parameters, of which there may be thousands. */
export function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** `type/subtype; name=value; …`; a lone `*` stands for everything. Undefined when malformed. */
function parseMediaRange(text: string): MediaRange | undefined {
  const [name = "", ...parts] = splitOutsideQuotes(text, ";");
  const slash = name.indexOf("/");
  const type = (slash < 0 ? name : name.slice(0, slash)).trim().toLowerCase();
  const subtype = (slash < 0 && type === "*" ? "*" : slash < 0 ? "" : name.slice(slash + 1))
    .trim()
    .toLowerCase();
  if (!token.test(type) || !token.test(subtype)) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const part of parts) {
    const equals = part.indexOf("=");
    if (equals < 0) continue;
    const key = part.slice(0, equals).trim().toLowerCase();
    const value = unquote(part.slice(equals + 1).trim());
    if (key === "q") quality = parseQuality(value);
    else parameters.set(key, value);
  }
  return { type, subtype, quality, parameters };
}

const token = /^[!#$%&'*+\-.^_`|~0-9a-z@]+$/;

function parseQuality(text: string): number {
  const quality = Number(text);
  return text === "" || Number.isNaN(quality) ? 1 : Math.min(1, Math.max(0, quality));
}

function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

function splitOutsideQuotes(text: string, separator: "," | ";"): readonly string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let quoted = false;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === "\\" && quoted) i++;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
