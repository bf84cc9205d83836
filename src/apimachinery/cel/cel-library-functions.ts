import { isEqual } from "./cel-equality.js";
import { type CelBudget, CelRuntimeError } from "./cel-error.js";
import { define } from "./cel-function.js";
import { asInt, asUint } from "./cel-numbers.js";
import { extreme, isSorted } from "./cel-order.js";
import { compiledPattern, patternSteps } from "./cel-pattern.js";
import { CelDuration } from "./cel-times.js";
import { CelList, CelMap, CelUint, CelUrl } from "./cel-value.js";
import { eachElement, finding, transform, walk } from "./function-rules.js";
import {
  hostnameOf,
  parseRequestUri,
  parseUrl,
  portOf,
  queryValues,
  type RequestUri,
  RequestUriError,
} from "./request-uri.js";

/** Source: Kubernetes documentation, "Common Expression Language in Kubernetes", the libraries of lists, regular expressions and URLs. */
export const libraries = [
  ...["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"].map((type) =>
    define(`list(${type}).isSorted(): bool`, ([list]) => isSorted(list), eachElement),
  ),
  define(
    "list(int).sum(): int",
    ([list]) => [...list.values()].reduce((total, value) => asInt(total + value), 0n),
    eachElement,
  ),
  define(
    "list(uint).sum(): uint",
    ([list]) =>
      [...list.values()].reduce((total, value) => asUint(total.value + value.value), new CelUint(0n)),
    eachElement,
  ),
  define(
    "list(double).sum(): double",
    ([list]) => [...list.values()].reduce((total, value) => total + value, 0),
    eachElement,
  ),
  define(
    "list(duration).sum(): duration",
    ([list]) =>
      [...list.values()].reduce(
        (total, value) => new CelDuration(asInt(total.nanos + value.nanos)),
        new CelDuration(0n),
      ),
    eachElement,
  ),
  ...["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"].flatMap((type) => [
    define(`list(${type}).min(): ${type}`, ([list]) => extreme(list, "min", -1), eachElement),
    define(`list(${type}).max(): ${type}`, ([list]) => extreme(list, "max", 1), eachElement),
  ]),
  define(
    "list(A).indexOf(A): int",
    ([list, value], budget) => BigInt([...list.values()].findIndex((one) => isEqual(one, value, budget))),
    eachElement,
  ),
  define(
    "list(A).lastIndexOf(A): int",
    ([list, value], budget) => BigInt([...list.values()].findLastIndex((one) => isEqual(one, value, budget))),
    eachElement,
  ),
  define(
    "string.find(string): string",
    ([text, pattern], budget) => {
      const compiled = compiledPattern(pattern);
      budget.spend(patternSteps(text, compiled));
      const found = compiled.matcher(text);
      return found.find() ? (found.group() ?? "") : "";
    },
    finding,
  ),
  define(
    "string.findAll(string): list(string)",
    ([text, pattern], budget) => CelList.of(findAll(text, pattern, -1n, budget)),
    finding,
  ),
  define(
    "string.findAll(string, int): list(string)",
    ([text, pattern, limit], budget) => CelList.of(findAll(text, pattern, limit, budget)),
    finding,
  ),
  define("url(string): url", ([text], budget) => urlOf(text, budget), transform),
  define("isURL(string): bool", ([text], budget) => isUrl(text, budget), walk),
  define("url.getScheme(): string", ([{ uri }]) => uri.scheme, walk),
  define("url.getHost(): string", ([{ uri }]) => uri.host, walk),
  define("url.getHostname(): string", ([{ uri }]) => hostnameOf(uri), walk),
  define("url.getPort(): string", ([{ uri }]) => portOf(uri), walk),
  define("url.getEscapedPath(): string", ([{ uri }]) => uri.escapedPath, walk),
  define("url.getQuery(): map(string, list(string))", ([{ uri }], budget) => queryOf(uri, budget), walk),
];

/** As in Go, an empty match right after another match does not count. */
function findAll(text: string, pattern: string, limit: bigint, budget: CelBudget): string[] {
  const compiled = compiledPattern(pattern);
  budget.spend(patternSteps(text, compiled));
  const matcher = compiled.matcher(text);
  const found: string[] = [];
  let end: number | undefined;
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) {
    budget.spend(10);
    const match = matcher.group() ?? "";
    if (match !== "" || matcher.start() !== end) found.push(match);
    end = matcher.end();
  }
  return found;
}

/** Parsing takes some microseconds. */
const urlSteps = 200;

function urlOf(text: string, budget: CelBudget): CelUrl {
  budget.spend(urlSteps + text.length);
  try {
    return new CelUrl(text, parseUrl(text));
  } catch (error) {
    if (!(error instanceof RequestUriError)) throw error;
    throw new CelRuntimeError(
      `URL parse error during conversion from string: parse ${JSON.stringify(text.slice(0, 256))}: ${error.message}`,
    );
  }
}

function isUrl(text: string, budget: CelBudget): boolean {
  budget.spend(urlSteps + text.length);
  try {
    parseRequestUri(text);
    return true;
  } catch (error) {
    if (error instanceof RequestUriError) return false;
    throw error;
  }
}

function queryOf(uri: RequestUri, budget: CelBudget): CelMap {
  budget.spend(uri.query.length * 8);
  return CelMap.of(new Map([...queryValues(uri)].map(([name, values]) => [name, CelList.of(values)])));
}
