/** The position of a line of block YAML in its document. */
export interface YamlPlace {
  /** Names of fields, and -1 for each list item, from the root to the object that contains the line. */
  readonly path: readonly (string | -1)[];
  /** The key on the line; empty when it has none. */
  readonly key: string;
}

const line =
  /^(\s*)((?:- +)*)(?:("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:'"-][^:#]*?|[^\s:#][^:]*?)\s*:(?=\s|$)|(.*))/;

/**
 * Finds the position from indentation alone, so that it works in unfinished text, too. `at` is the index of the line, by default the
 * last; later lines do not matter.
 */
export function placeOf(lines: readonly string[], at = lines.length - 1): YamlPlace {
  const last = readLine(lines[at] ?? "");
  const path: (string | -1)[] = [];
  let { indent } = last;
  // With dashes on the line itself, the key is inside that many list items.
  for (let dash = 0; dash < last.dashes.length; dash++) path.unshift(-1);
  let isItem = last.dashes.length > 0;
  indent = last.dashes[0] ?? indent;
  for (let index = at - 1; index >= 0 && (indent > 0 || isItem); index--) {
    const text = lines[index] ?? "";
    if (/^\s*(#|$)/.test(text)) continue;
    const above = readLine(text);
    for (const dash of [...above.dashes].reverse()) {
      if (above.key !== "" && above.indent < indent && isParentKey(above.indent, indent, isItem)) break;
      if (dash < indent && above.indent >= indent) {
        path.unshift(-1);
        indent = dash;
        isItem = true;
      }
    }
    if (above.key !== "" && isParentKey(above.indent, indent, isItem)) {
      path.unshift(above.key);
      indent = above.indent;
      isItem = false;
      for (const dash of [...above.dashes].reverse()) {
        path.unshift(-1);
        indent = dash;
        isItem = true;
      }
    }
  }
  return { path, key: last.key };
}

/** The items of a list may be indented no further than its key. */
function isParentKey(above: number, indent: number, isItem: boolean): boolean {
  return above < indent || (isItem && above === indent);
}

/** Only the start of a line is searched for a key: a line may hold the text of a whole file. */
const charactersMax = 400;

function readLine(text: string): { indent: number; dashes: readonly number[]; key: string } {
  const [, space = "", dashText = "", key = ""] = line.exec(text.slice(0, charactersMax)) ?? [];
  const dashes: number[] = [];
  for (let at = 0; at < dashText.length; at++) if (dashText[at] === "-") dashes.push(space.length + at);
  return { indent: space.length + dashText.length, dashes, key: key.replace(/^(["'])(.*)\1$/, "$2").trim() };
}
