import type { ApiClient } from "../support/api-client.js";

interface Stored {
  readonly path: string;
  readonly isHeld: boolean;
}

interface DiscoveredResource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** As the list of a kind has it, in its form of metadata alone. */
interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly finalizers?: readonly string[];
}

const metadataList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
const mergePatch = "application/merge-patch+json";
const atOnce = 16;
const pageObjects = 500;
/** Deleting definitions and namespaces deletes what is in them, which a later pass finds gone. */
const passesMax = 10;
/** Definitions go last, so that their objects can still be listed; namespaces before them, as they hold most objects. */
const last = ["namespaces", "customresourcedefinitions"];

/** The names of all objects that a server has at a moment. */
export class StoredObjects {
  readonly #paths: ReadonlySet<string>;

  private constructor(paths: ReadonlySet<string>) {
    this.#paths = paths;
  }

  static async of(api: ApiClient): Promise<StoredObjects> {
    const paths = new Set<string>();
    for (const collection of await collections(api)) {
      for (const { path } of await objectsOf(api, collection)) paths.add(path);
    }
    return new StoredObjects(paths);
  }

  /** Deletes every object of any kind that has none of these names. Returns the paths of those that stayed. */
  async restore(api: ApiClient): Promise<readonly string[]> {
    let stayed: readonly string[] = [];
    for (let pass = 0; pass < passesMax; pass++) {
      const left: string[] = [];
      for (const collection of await collections(api)) {
        const added = (await objectsOf(api, collection)).filter(({ path }) => !this.#paths.has(path));
        for (let i = 0; i < added.length; i += atOnce) {
          await Promise.all(added.slice(i, i + atOnce).map((object) => remove(api, object)));
        }
        left.push(...added.map(({ path }) => path));
      }
      // Nothing more can be done when a pass finds the same objects as the one before.
      if (left.length === 0 || left.join() === stayed.join()) return left;
      stayed = left;
    }
    return stayed;
  }
}

async function remove(api: ApiClient, { path, isHeld }: Stored): Promise<void> {
  if (isHeld) await api.patch(path, mergePatch, { metadata: { finalizers: null } });
  await api.delete(`${path}?gracePeriodSeconds=0`);
}

/** The paths of all collections that can be listed and deleted from, each kind in one version. */
async function collections(api: ApiClient): Promise<readonly DiscoveredCollection[]> {
  const groups = (await api.get("/apis")).body.groups as readonly {
    preferredVersion: { groupVersion: string };
  }[];
  const versions = ["/api/v1", ...groups.map((group) => `/apis/${group.preferredVersion.groupVersion}`)];
  const found: DiscoveredCollection[] = [];
  for (const version of versions) {
    const { body } = await api.get(version);
    for (const { name, namespaced, verbs } of (body?.resources ?? []) as readonly DiscoveredResource[]) {
      if (name.includes("/") || !verbs.includes("list") || !verbs.includes("delete")) continue;
      found.push({ version, name, namespaced });
    }
  }
  return found.sort((a, b) => last.indexOf(a.name) - last.indexOf(b.name));
}

interface DiscoveredCollection {
  readonly version: string;
  readonly name: string;
  readonly namespaced: boolean;
}

async function objectsOf(
  api: ApiClient,
  { version, name: resource, namespaced }: DiscoveredCollection,
): Promise<readonly Stored[]> {
  const found: Stored[] = [];
  let from = "";
  do {
    const { status, body } = await api.ask("GET", `${version}/${resource}?limit=${pageObjects}${from}`, {
      headers: { accept: metadataList },
    });
    // Its definition may have gone meanwhile.
    if (status !== 200) return found;
    for (const { metadata } of body.items as readonly { readonly metadata: Metadata }[]) {
      const { name, namespace, finalizers = [] } = metadata;
      const of = namespaced ? `/namespaces/${encodeURIComponent(namespace ?? "")}` : "";
      found.push({
        path: `${version}${of}/${resource}/${encodeURIComponent(name)}`,
        isHeld: finalizers.length > 0,
      });
    }
    const next: unknown = body.metadata?.continue;
    from = typeof next === "string" && next !== "" ? `&continue=${encodeURIComponent(next)}` : "";
  } while (from !== "");
  return found;
}
