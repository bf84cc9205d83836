import { compareText } from "../collections/compare-text.js";
import { type FieldSet, isMember, leaf, selfElement } from "./field-set.js";
import { comparePathElements, type PathElement } from "./path-element.js";

/** Every path of the set, in written order: at each level the members first, then the paths below them. */
export function pathsOf(set: FieldSet): PathElement[][] {
  const paths: PathElement[][] = [];
  collectPaths(set, [], paths);
  return paths;
}

function collectPaths(set: FieldSet, prefix: readonly PathElement[], paths: PathElement[][]): void {
  const elements = writtenOrder(set).filter((element) => element !== selfElement);
  for (const element of elements) {
    if (isMember(set.get(element) ?? leaf)) paths.push([...prefix, element]);
  }
  for (const element of elements) collectPaths(set.get(element) ?? leaf, [...prefix, element], paths);
}

/** `.` first, then the others in order. */
export function writtenOrder(set: FieldSet): PathElement[] {
  const elements = [...set.keys()];
  const compare = orderMissing(elements);
  return compare === undefined ? elements : elements.sort(compare);
}

/** The sorted order; undefined if the elements are sorted already, as most are: checking costs less than sorting. */
function orderMissing(
  elements: readonly PathElement[],
): ((a: PathElement, b: PathElement) => number) | undefined {
  let asText = true;
  let isSorted = true;
  let previous = "";
  for (const element of elements) {
    asText &&= sortsAsText(element);
    if (isSorted && previous !== "") {
      isSorted = asText ? previous < element : compareWritten(previous, element) < 0;
    }
    previous = element;
  }
  if (isSorted) return undefined;
  return asText ? compareText : compareWritten;
}

/**
 * Whether these elements sort like their texts: fields, items of sets that are plain words, and items with one key that is a plain
 * word. `.` comes first in both orders.
 */
function sortsAsText(element: PathElement): boolean {
  return element.charCodeAt(0) === fieldKind || element === selfElement || plainItem.test(element);
}

const fieldKind = 0x66;
const plainItem = /^(?:k:\{"\w+":"[-./\w]*"\}|v:"[-./\w]*")$/;

function compareWritten(a: PathElement, b: PathElement): number {
  if (a === selfElement) return -1;
  if (b === selfElement) return 1;
  return comparePathElements(a, b);
}
