import { computed, signal } from "@preact/signals";

/** The current place in the console: the part of the URL after `#`. */
export type Route =
  | { readonly page: "overview" | "server" | "lab" }
  | { readonly page: "list"; readonly group: string; readonly plural: string }
  | {
      readonly page: "object";
      readonly group: string;
      readonly plural: string;
      readonly namespace: string;
      /** Empty for a new one. */
      readonly name: string;
    };

const address = signal(location.hash);
addEventListener("hashchange", () => {
  address.value = location.hash;
});

const parts = computed(() => {
  const [path = "", query = ""] = address.value.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").map(decode), query: new URLSearchParams(query) };
});

export const route = computed<Route>(() => {
  const [page = "", group = "", plural = "", namespace = "", name = ""] = parts.value.path;
  switch (page) {
    case "server":
    case "lab":
      return { page };
    case "list":
      return { page, group: fromPath(group), plural };
    case "object":
      return { page, group: fromPath(group), plural, namespace: fromPath(namespace), name };
    default:
      return { page: "overview" };
  }
});

/** What follows the question mark: filters and tabs. */
export const query = computed(() => parts.value.query);

/** Changes parts of the query in place; an empty value removes one. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  const [path = "#/"] = address.value.split("?", 1);
  const text = next.toString();
  history.replaceState(null, "", text === "" ? path : `${path}?${text}`);
  address.value = location.hash;
}

export function listHref(at: { readonly group: string; readonly plural: string }, namespace = ""): string {
  const suffix = namespace === "" ? "" : `?ns=${encodeURIComponent(namespace)}`;
  return `#/list/${toPath(at.group)}/${at.plural}${suffix}`;
}

export function objectHref(
  at: { readonly group: string; readonly plural: string },
  of: { readonly namespace: string; readonly name: string },
): string {
  return `#/object/${toPath(at.group)}/${at.plural}/${toPath(of.namespace)}/${encodeURIComponent(of.name)}`;
}

function toPath(part: string): string {
  return part === "" ? "-" : encodeURIComponent(part);
}

function fromPath(part: string): string {
  return part === "-" ? "" : part;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
