import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** From top to bottom: a layer may import from itself and from those below it. Named in ARCHITECTURE.md in the same order. */
const layers = [
  "program.ts",
  "main.ts",
  "index.ts",
  "server",
  "lab",
  "serving",
  "aggregation",
  "endpoints",
  "access",
  "admission",
  "simulation",
  "controllers",
  "registry",
  "apis",
  "informers",
  "storage",
  "audit",
  "remote",
  "request",
  "event-loop",
  "apimachinery",
  "naming",
  "telemetry",
  "time",
  "files",
];

/**
 * The subfolders of a layer from top to bottom: each may import from those on later lines, not from those on its own line. `.` is the
 * folder's own files.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  server: [
    "commands lane-program reader-program",
    ".",
    "composition",
    "endpoints",
    "routes lanes readers store-commands",
    "foundation",
    "health profiling stores tracing",
    "metrics",
    "audit authentication authorization",
    "bootstrap bootstrap-rbac connections logging",
    "pki process",
    "lifecycle settings",
    "options",
  ],
  serving: ["console routing", "lanes readers", "filters proxy responses", "request", "http"],
  lab: [".", "routes", "recording", "clock faults forks history snapshots"],
  endpoints: [
    ".",
    "custom-resources discovery kinds openapi",
    "catalog",
    "connect operations",
    "writes",
    "reads",
    "resource",
    "bodies",
  ],
  admission: [
    "testing",
    ".",
    "plugins",
    "image-policy pod-security pod-security-policy resource-quota webhooks",
    "policies",
    "checks configuration manifests matching",
    "chain",
  ],
  simulation: [
    "testing",
    ".",
    "agent nodes policy scheduling services workloads",
    "volumes",
    "pods",
    "behaviour",
    "machinery",
  ],
  registry: ["admissionregistration certificates core rbac resource", "generic"],
  apis: [
    "testing",
    ".",
    [
      "admission admissionregistration apidiscovery apiextensions apiregistration apiserverinternal apps audit authentication",
      "authorization autoscaling batch certificates coordination core discovery events flowcontrol imagepolicy networking node",
      "policy rbac resource scheduling storage storagemigration",
    ].join(" "),
    "checks",
    "definition",
    "gen",
  ],
  storage: ["testing", "thread-store watchcache", "store", "transform embedded store3", "grpc", "."],
  apimachinery: [
    "testing",
    "structural-schema",
    "cel managed-fields patch meta-types selectors",
    "cbor validation yaml",
    "requests",
    "schema",
    "levels objects",
    "errors",
    "values",
    "json",
    "collections",
  ],
};

/** Groups whose kinds contain pods or volumes of the core group, or are also served in it. */
const groupsOfCore = ["apps", "batch", "events", "node", "storage"];

const root = dirname(fileURLToPath(import.meta.url));
const repository = dirname(root);

interface Import {
  readonly from: string;
  readonly to: string;
}

test("imports only point down the layers", () => {
  const wrong = imports().filter(({ from, to }) => layerOf(to) < layerOf(from));
  expect(wrong).toEqual([]);
});

test("the object model, the kinds, admission and the registry know nothing of the event loop", () => {
  const domain = ["apimachinery", "apis", "admission", "registry"];
  const wrong = imports().filter(
    ({ from, to }) => to.startsWith("event-loop/") && domain.includes(from.split("/", 1)[0] ?? ""),
  );
  expect(wrong).toEqual([]);
});

test("every folder is a layer, and every layer has a folder", () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || !entry.name.endsWith(".test.ts"))
    .map((entry) => entry.name);
  expect(folders.sort()).toEqual([...layers].sort());
});

test("ARCHITECTURE.md names the layers from top to bottom", () => {
  const firstCells = [...document("ARCHITECTURE.md").matchAll(/^\| (`[^|]+`) \|/gm)].map(
    ([, cell]) => cell ?? "",
  );
  expect(firstCells.flatMap(quoted).map((name) => name.replace(/\/$/, ""))).toEqual(layers);
});

test("files that the documents name exist", () => {
  const files = ["src", "console", "test", "bench", "scripts", "bin"]
    .flatMap((folder) => filesBelow(join(repository, folder)))
    .map((file) => `/${relative(repository, file).split(sep).join("/")}`);
  const folders = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs"];
  const documents = folders.flatMap((name) => (name === "docs" ? pagesOf(name) : [name]));
  const wrong = documents.flatMap((page) =>
    quoted(document(page))
      .filter(
        (name) => /^[\w./-]+\.(ts|mjs)$/.test(name) || /^(src|test|bench|scripts|bin)\/[\w./-]+$/.test(name),
      )
      .filter((name) => !files.some((file) => file.endsWith(`/${name}`) || file.startsWith(`/${name}`)))
      .map((name) => `${page}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

function pagesOf(folder: string): string[] {
  return readdirSync(join(repository, folder))
    .filter((page) => !statSync(join(repository, folder, page)).isDirectory())
    .map((page) => `${folder}/${page}`);
}

test("imports only point down the folders of a layer", () => {
  const wrong = imports().filter(({ from, to }) => {
    const [layer = ""] = from.split("/", 1);
    const order = rooms[layer];
    if (order === undefined || !to.startsWith(`${layer}/`) || roomOf(from) === roomOf(to)) return false;
    if (layer === "apis" && roomOf(to) === "core" && groupsOfCore.includes(roomOf(from))) return false;
    return floorOf(order, to) <= floorOf(order, from);
  });
  expect(wrong).toEqual([]);
});

test("every folder of such a layer is listed, and every listed folder exists", () => {
  for (const [layer, order] of Object.entries(rooms)) {
    const files = sourceFiles(join(root, layer)).map((file) => relative(root, file).split(sep).join("/"));
    expect([...new Set(files.map(roomOf))].sort()).toEqual(order.flatMap((floor) => floor.split(" ")).sort());
  }
});

test("of two folders of a layer one imports the other, if at all", () => {
  const pairs = new Set(
    imports()
      // Rules of kinds within one group may refer to each other.
      .filter(({ from, to }) => !(from.startsWith("apis/") && roomOf(from) === roomOf(to)))
      .filter(({ from }) => !from.includes("/testing/"))
      .map(({ from, to }) => [dirname(from), dirname(to)] as const)
      .filter(([from, to]) => !from.startsWith(to) && !to.startsWith(from))
      .map(([from, to]) => `${from} -> ${to}`),
  );
  const mutual = [...pairs].filter((pair) => pairs.has(pair.split(" -> ").reverse().join(" -> ")));
  expect(mutual).toEqual([]);
});

test("no file imports itself by way of others, type imports included", () => {
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports())
    graph.set(from, [...(graph.get(from) ?? []), to.replace(/\.js$/, ".ts")]);
  expect(cyclesIn(graph)).toEqual([]);
});

/** One way round for each import that closes a circle: `a.ts -> b.ts -> a.ts`. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string): void => {
    const start = way.indexOf(file);
    if (start >= 0) cycles.push([...way.slice(start), file].join(" -> "));
    if (start >= 0 || done.has(file)) return;
    way.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

function layerOf(path: string): number {
  const [place = ""] = path.split("/", 1);
  const layer = layers.indexOf(place.replace(/\.js$/, ".ts"));
  if (layer < 0) throw new Error(`${path} is in no layer`);
  return layer;
}

/** `http` of `serving/http/listener.ts`. */
function roomOf(path: string): string {
  const [, room = "", ...rest] = path.split("/");
  return rest.length === 0 ? "." : room;
}

function floorOf(order: readonly string[], path: string): number {
  return order.findIndex((floor) => floor.split(" ").includes(roomOf(path)));
}

/** Import statements begin a line; the other alternative is a dynamic import. */
const importPattern = /^(?:import|export)\b[^"]*"(\.{1,2}\/[^"]+)"|\bimport\("(\.{1,2}\/[^"]+)"\)/gm;

/** Type imports count, because they couple modules as well. Tests may import anything. */
function imports(): Import[] {
  return sourceFiles(root).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const from = relative(root, file).split(sep).join("/");
    return [...text.matchAll(importPattern)].map(([, fixed, dynamic]) => ({
      from,
      to: relative(root, normalize(join(dirname(file), fixed ?? dynamic ?? "")))
        .split(sep)
        .join("/"),
    }));
  });
}

function sourceFiles(folder: string): string[] {
  return filesBelow(folder).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function document(name: string): string {
  return readFileSync(join(repository, name), "utf8");
}

/** The texts between backquotes. */
function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, words]) => words ?? "");
}
