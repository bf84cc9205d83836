import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Cluster } from "../pods/cluster.js";

/** The name of the class for claims that name none: the newest of those marked as default, and of equally old ones the first by name. */
export function defaultClassName({ domain, views }: Cluster): string | undefined {
  const marks = [
    `storageclass.${domain}/is-default-class`,
    `storageclass.beta.${domain}/is-default-class`,
  ] as const;
  const isDefault = ({ metadata: { annotations } }: ApiObject): boolean =>
    marks.some((mark) => annotations?.[mark] === "true");
  let best: { readonly name: string; readonly createdAt: string } | undefined;
  for (const view of views.of("storageclasses.storage").values()) {
    if (!isDefault(view.stored.decode())) continue;
    if (
      best === undefined ||
      view.createdAt > best.createdAt ||
      (view.createdAt === best.createdAt && view.name < best.name)
    )
      best = view;
  }
  return best?.name;
}
