import type { PodTemplateSpec } from "../gen/core-v1.js";

/** Table cells for a template: names and images of its containers, comma-separated. */
export function containerCells(template: PodTemplateSpec | undefined): { names: string; images: string } {
  const containers = template?.spec.containers ?? [];
  return {
    names: containers.map((container) => container.name).join(","),
    images: containers.map((container) => container.image ?? "").join(","),
  };
}

/** `a=b,c=d` sorted by key, `<none>` without labels. */
export function labelsCell(labels: { readonly [key: string]: string } | undefined): string {
  const entries = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? "<none>" : entries.map(([key, value]) => `${key}=${value}`).join(",");
}
