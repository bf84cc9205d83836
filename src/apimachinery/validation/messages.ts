/** Messages of value checks. Clients match on them, so they must not change. */

export function emptyMessage(): string {
  return "must be non-empty";
}

export function maxLengthMessage(length: number): string {
  return `must be no more than ${length} characters`;
}

export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** `what (e.g. 'a',  or 'b', regex used for validation is 'format')`; the odd spacing is Kubernetes'. */
export function patternMessage(what: string, format: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${what} (regex used for validation is '${format}')`;
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${what} (e.g. ${shown}regex used for validation is '${format}')`;
}

/** Lengths are limited in UTF-8 bytes. */
export function byteLength(text: string): number {
  if (text.length > countedLengthMax) return Buffer.byteLength(text, "utf8");
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return Buffer.byteLength(text, "utf8");
  }
  return text.length;
}

/** Up to this length, looking at each character is faster than a native call. */
const countedLengthMax = 64;
