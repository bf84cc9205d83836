import type { RequestInfo } from "../../apimachinery/requests/request-info.js";

type Watched = Pick<RequestInfo, "apiGroup" | "resource" | "namespace" | "name">;

/** Counts open watches by selection, to estimate the cost of a write in advance. */
export class WatchTracker {
  readonly #counts = new Map<string, number>();

  /** Counts a watch until the returned function is called; further calls do nothing. */
  add(watched: Watched): () => void {
    const key = keyOf(watched);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      const left = (this.#counts.get(key) ?? 0) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }

  /** Watches of all objects, of the namespace, and of the object itself. */
  count(written: Watched): number {
    if (this.#counts.size === 0) return 0;
    const { namespace, name } = written;
    const places = new Set([
      keyOf({ ...written, namespace: "", name: "" }),
      keyOf({ ...written, name: "" }),
      keyOf({ ...written, namespace: "", name }),
      keyOf({ ...written, namespace, name }),
    ]);
    let count = 0;
    for (const key of places) count += this.#counts.get(key) ?? 0;
    return count;
  }
}

function keyOf({ apiGroup, resource, namespace, name }: Watched): string {
  return `${apiGroup}/${resource}/${namespace}/${name}`;
}
