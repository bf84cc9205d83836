import { cborOfJson } from "../../apimachinery/cbor/print-cbor.js";
import { notAcceptable } from "../../apimachinery/errors/status.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { type MediaRange, parseAccept } from "../../apimachinery/requests/media-range.js";
import { timestamp } from "../../apimachinery/values/time.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { isComponentConfigGroup } from "../../naming/qualified-names.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";

export interface ComponentPagesParts {
  /** Name of the program. */
  readonly name: string;
  readonly level: ApiLevel;
  /** The gates ComponentStatusz and ComponentFlagz. */
  readonly shows: { readonly status: boolean; readonly flags: boolean };
  /** The gate CBORServingAndStorage. */
  readonly hasCbor: boolean;
  readonly yaml: YamlConverter;
  readonly startedAt: Date;
  readonly now: () => Date;
  readonly runtime: string;
  readonly version: string;
  /** Further paths to look at. */
  readonly paths: () => readonly string[];
  /** Name and value of every option. */
  readonly flags: () => Readonly<Record<string, string>>;
}

/** The same facts for people and, since 1.35, for programs. */
interface ComponentPage {
  readonly kind: "Statusz" | "Flagz";
  /** Name of the program on the page. */
  readonly name: string;
  readonly title: string;
  /** Whether an empty line follows the head. */
  readonly hasGap: boolean;
  /** Whether its text is negotiated as for objects, whose types name no character set. */
  readonly isTextNegotiated: boolean;
  lines(): readonly string[];
  fields(): JsonObject;
}

const warning =
  "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.";

/** `/statusz` and `/flagz`: what runs here since when, and how it was started. */
export function componentPageRoutes(parts: ComponentPagesParts): Route[] {
  const route = (path: string, page: ComponentPage): Route => ({
    path,
    listed: true,
    handle: (context) => respond(context, page, parts),
  });
  return [
    ...(parts.shows.status ? [route("/statusz", statusPage(parts))] : []),
    ...(parts.shows.flags ? [route("/flagz", flagsPage(parts))] : []),
  ];
}

/** How every server on Kubernetes' generic library is called. */
const genericName = "apiserver";

function statusPage(parts: ComponentPagesParts): ComponentPage {
  const { level, startedAt, now, runtime, version, paths } = parts;
  const upSeconds = () => Math.floor((now().getTime() - startedAt.getTime()) / 1000);
  return {
    kind: "Statusz",
    name: isAtLeast(level, "1.34") ? genericName : parts.name,
    title: "statusz",
    hasGap: true,
    isTextNegotiated: level === "1.35",
    lines: () => [
      `Started: ${unixDate(startedAt)}`,
      `Up: ${upTime(upSeconds())}`,
      `Go version: ${runtime}`,
      `Binary version: ${version}`,
      `Emulation version: ${level}`,
      `Paths: ${paths().join(" ")}`,
    ],
    fields: () => ({
      startTime: timestamp(startedAt),
      uptimeSeconds: upSeconds(),
      goVersion: runtime,
      binaryVersion: version,
      emulationVersion: level,
      paths: paths(),
    }),
  };
}

function flagsPage({ level, name, flags }: ComponentPagesParts): ComponentPage {
  return {
    kind: "Flagz",
    name: isAtLeast(level, "1.36") ? genericName : name,
    title: isAtLeast(level, "1.35") ? "flagz" : "flags",
    hasGap: !isAtLeast(level, "1.35"),
    isTextNegotiated: false,
    lines: () => Object.entries(flags()).map(([name, value]) => `${name}=${value}`),
    fields: () => ({ flags: flags() }),
  };
}

async function respond(
  context: RequestContext,
  page: ComponentPage,
  { level, hasCbor, yaml }: ComponentPagesParts,
): Promise<void> {
  const { exchange } = context;
  const { accept } = exchange.headers;
  const types = structuredTypes(level, hasCbor);
  const form = formOf(accept, page.kind, { types, versions: structuredVersions(level) });
  if (form === undefined) throw notAcceptable(acceptedTypes(level, types));
  if (form.kind === "text") {
    const text = [
      `\n${page.name} ${page.title}`,
      warning,
      ...(page.hasGap ? [""] : []),
      ...page.lines(),
      "",
    ].join("\n");
    const isNegotiated = page.isTextNegotiated && accept !== undefined && accept !== "";
    const type = isNegotiated ? "text/plain" : "text/plain; charset=utf-8";
    exchange.respond(200, { "Content-Type": type }, text);
    return;
  }
  const { type, group, version } = form;
  if (version === "v1alpha1" && isAtLeast(level, "1.36")) {
    context.warn(
      `This version of the ${page.kind.toLowerCase()} endpoint is deprecated. Please use a newer version.`,
    );
  }
  const document = {
    kind: page.kind,
    apiVersion: `${group}/${version}`,
    metadata: { name: page.name },
    ...page.fields(),
  };
  const json = Buffer.from(`${printJson(document)}\n`);
  const body =
    type === cborType ? cborOfJson(json) : type === yamlType ? await yaml.print(json, exchange.signal) : json;
  exchange.respond(200, { "Content-Type": `${type};g=${group};v=${version};as=${page.kind}` }, body);
}

const jsonType = "application/json";
const yamlType = "application/yaml";
const cborType = "application/cbor";

function structuredTypes(level: ApiLevel, hasCbor: boolean): readonly string[] {
  if (!isAtLeast(level, "1.35")) return [];
  if (!isAtLeast(level, "1.36")) return [jsonType];
  return [jsonType, yamlType, ...(hasCbor ? [cborType] : [])];
}

/** In the order in which refusals list them. */
function acceptedTypes(level: ApiLevel, structured: readonly string[]): string[] {
  const text = "text/plain";
  if (!isAtLeast(level, "1.36")) return [text, ...structured];
  return [jsonType, yamlType, text, ...structured.filter((type) => type === cborType)];
}

type PageForm =
  | { readonly kind: "text" }
  | { readonly kind: "document"; readonly type: string; readonly group: string; readonly version: string };

/** The structured form is only for clients that name its kind, so that nobody parses text or another kind by mistake. */
function formOf(
  accept: string | undefined,
  kind: ComponentPage["kind"],
  { types, versions }: { readonly types: readonly string[]; readonly versions: readonly string[] },
): PageForm | undefined {
  if (accept === undefined || accept === "") return { kind: "text" };
  for (const range of parseAccept(accept)) {
    if (isPlainText(range)) return { kind: "text" };
    const { parameters } = range;
    const group = parameters.get("g") ?? "";
    const version = parameters.get("v") ?? "";
    const type = `${range.type}/${range.subtype}`;
    if (
      types.includes(type) &&
      parameters.get("as") === kind &&
      isComponentConfigGroup(group) &&
      versions.includes(version)
    ) {
      return { kind: "document", type, group, version };
    }
  }
  return undefined;
}

function isPlainText({ type, subtype, parameters }: MediaRange): boolean {
  if (!["text", "*"].includes(type) || !["plain", "*"].includes(subtype)) return false;
  const charset = parameters.get("charset");
  return parameters.size === 0 || (parameters.size === 1 && charset?.toLowerCase() === "utf-8");
}

function structuredVersions(level: ApiLevel): readonly string[] {
  if (!isAtLeast(level, "1.35")) return [];
  return isAtLeast(level, "1.36") ? ["v1alpha1", "v1beta1"] : ["v1alpha1"];
}

/** `Wed Oct 16 21:03:43 UTC 2024`. */
function unixDate(date: Date): string {
  const [weekday = "", day = "", month = "", year = "", time = ""] = date
    .toUTCString()
    .replace(",", "")
    .split(" ");
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} UTC ${year}`;
}

function upTime(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`;
}
