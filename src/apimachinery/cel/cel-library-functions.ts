import { isEqual } from "./cel-equality.js";
import { type CelBudget, CelRuntimeError } from "./cel-error.js";
import { define } from "./cel-function.js";
import { asInt, asUint } from "./cel-numbers.js";
import { extreme, isSorted } from "./cel-order.js";
import { compiledPattern, patternSteps } from "./cel-pattern.js";
import { CelDuration } from "./cel-times.js";
import { CelList, CelMap, CelUint, CelUrl } from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";
import { eachElement, finding, walk } from "./function-rules.js";

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
  define("url(string): url", ([text], budget) => urlOf(text, budget), {
    ...walk,
    estimate: callEstimates.scan,
  }),
  define("isURL(string): bool", ([text], budget) => isUrl(text, budget), walk),
  define(
    "url.getScheme(): string",
    ([{ text, url }]) => (text.startsWith("/") ? "" : url.protocol.slice(0, -1)),
    walk,
  ),
  define("url.getHost(): string", ([{ text }]) => hostOf(text), walk),
  define(
    "url.getHostname(): string",
    ([{ text }]) =>
      hostOf(text)
        .replace(/:\d*$/, "")
        .replace(/^\[(.*)\]$/, "$1"),
    walk,
  ),
  define("url.getPort(): string", ([{ text }]) => /:(\d*)$/.exec(hostOf(text))?.[1] ?? "", walk),
  define(
    "url.getEscapedPath(): string",
    ([{ text, url }]) => (/^[a-z+.-]+:\/\/[^/?#]*$/i.test(text) ? "" : url.pathname),
    walk,
  ),
  define("url.getQuery(): map(string, list(string))", ([{ url }], budget) => queryOf(url, budget), walk),
];

function findAll(text: string, pattern: string, limit: bigint, budget: CelBudget): string[] {
  const compiled = compiledPattern(pattern);
  budget.spend(patternSteps(text, compiled));
  const matcher = compiled.matcher(text);
  const found: string[] = [];
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) {
    budget.spend(10);
    found.push(matcher.group() ?? "");
  }
  return found;
}

const someHost = "http://a";

/** Parsing takes some microseconds. */
const urlSteps = 200;

function urlOf(text: string, budget: CelBudget): CelUrl {
  budget.spend(urlSteps + text.length);
  try {
    if (text.startsWith("/")) return new CelUrl(text, new URL(text, someHost));
    if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) return new CelUrl(text, new URL(text));
  } catch {
    // The error is reported below.
  }
  throw new CelRuntimeError(
    `URL parse error during conversion from string: parse ${JSON.stringify(text.slice(0, 256))}: invalid URI for request`,
  );
}

function isUrl(text: string, budget: CelBudget): boolean {
  try {
    urlOf(text, budget);
    return true;
  } catch (error) {
    if (error instanceof CelRuntimeError) return false;
    throw error;
  }
}

/** As written: a standard port is kept. */
function hostOf(text: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(text)?.[1] ?? "";
}

function queryOf(url: URL, budget: CelBudget): CelMap {
  budget.spend(url.search.length * 8);
  const all = new Map<string, string[]>();
  for (const [name, value] of url.searchParams) {
    const same = all.get(name);
    if (same === undefined) all.set(name, [value]);
    else same.push(value);
  }
  return CelMap.of(new Map([...all].map(([name, values]) => [name, CelList.of(values)])));
}
