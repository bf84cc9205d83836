/** The largest pattern that is compiled, by `patternSize`: it takes some ten milliseconds. */
export const patternSizeMax = 5_000;

/** A class such as `\pL` stands for hundreds of ranges. */
const unicodeClassSize = 50;
/** The most that a class adds for each repetition: its ranges are shared, and found by binary search. */
const repeatedClassSizeMax = 2;

/**
 * About how many instructions a pattern in RE2 syntax has when compiled: a repetition `x{3,5}` is five `x`. Linear in its text; beyond
 * `patternSizeMax` the text is not read further.
 */
export function patternSize(pattern: string): number {
  const groups: number[] = [];
  /** What no repetition multiplies. */
  let shared = 0;
  let total = 0;
  let last = 0;
  const add = (size: number): void => {
    total += size;
    last = size;
  };
  const addClass = (size: number): void => {
    add(Math.min(size, repeatedClassSizeMax));
    shared += size - last;
  };
  for (let at = 0; at < pattern.length && shared + total + groups.length <= patternSizeMax; ) {
    const char = pattern.charAt(at);
    if (char === "\\") {
      if (/[pP]/.test(pattern.charAt(at + 1))) addClass(unicodeClassSize);
      else add(1);
      at += 2;
      if (pattern.charAt(at) === "{" && /[pPx]/.test(pattern.charAt(at - 1))) at = after(pattern, "}", at);
    } else if (char === "[") {
      const { end, size } = classAt(pattern, at);
      addClass(size);
      at = end;
    } else if (char === "(") {
      groups.push(total);
      total = 0;
      at++;
    } else if (char === ")") {
      const before = groups.pop() ?? 0;
      last = total + 2;
      total = before + last;
      at++;
    } else if (char === "{") {
      repetition.lastIndex = at;
      const [text = "", least = "", , most = ""] = repetition.exec(pattern) ?? [];
      if (text === "") {
        add(1);
        at++;
      } else {
        const times = Math.max(Number(least), Number(most), 1);
        const before = total - last;
        last *= times;
        total = before + last;
        at += text.length;
      }
    } else {
      if (/[*+?|]/.test(char)) total++;
      else add(1);
      at++;
    }
  }
  return groups.reduce((sum, before) => sum + before + 2, shared + total);
}

const repetition = /\{(\d{1,9})(,(\d{1,9})?)?\}/y;

/** The class that begins at the index, without the named classes in it. */
function classAt(pattern: string, from: number): { readonly end: number; readonly size: number } {
  let size = 1;
  let at = from + 1;
  if (pattern.charAt(at) === "^") at++;
  // A bracket in the first place stands for itself.
  if (pattern.charAt(at) === "]") at++;
  for (; at < pattern.length && pattern.charAt(at) !== "]" && size <= patternSizeMax; at++) {
    size += 0.25;
    if (pattern.charAt(at) !== "\\") continue;
    at++;
    if (/[pP]/.test(pattern.charAt(at))) size += unicodeClassSize;
  }
  return { end: at + 1, size };
}

function after(pattern: string, char: string, from: number): number {
  const at = pattern.indexOf(char, from);
  return at < 0 ? pattern.length : at + 1;
}
