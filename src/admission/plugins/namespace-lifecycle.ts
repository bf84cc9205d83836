import { notFound, StatusError } from "../../apimachinery/errors/status.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import type { NamespaceView } from "../chain/namespace-lister.js";
import { refused } from "../chain/refusal.js";
import { isNamespace } from "../matching/match.js";
import type { PluginContext } from "./plugin-context.js";

/** How long the newest state of a namespace is read after a request to delete it. */
const recentMs = 30_000;

/** Refuses creates in a namespace that does not exist or is being deleted, and the deletion of the system's namespaces. */
export function namespaceLifecycle({
  naming,
  namespaces,
  now,
}: Pick<PluginContext, "naming" | "namespaces" | "now">): AdmissionPlugin {
  const immortal = ["default", naming.systemNamespace, naming.publicNamespace];
  const accessReviews = naming.group("authorization");
  const recentlyDeleted = new RecentDeletions(now);
  const check = (attributes: AdmissionAttributes, found: NamespaceView | undefined): void => {
    if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, attributes.namespace);
    if (found.isTerminating) throw terminating(attributes);
  };
  return {
    operations: ["CREATE", "DELETE"],
    mutate(attributes) {
      const { operation, resource, namespace, name } = attributes;
      if (operation === "DELETE") {
        if (!isNamespace(attributes)) return;
        if (immortal.includes(name)) throw refused(attributes, "this namespace may not be deleted");
        recentlyDeleted.add(name);
        return;
      }
      if (namespace === "" || isNamespace(attributes)) return;
      // The answer to a review must not reveal whether a namespace exists.
      if (resource.group === accessReviews && resource.resource === "localsubjectaccessreviews") return;
      const known = namespaces.get(namespace);
      const mayBeDeleted = known?.isTerminating === false && recentlyDeleted.has(namespace);
      if (known !== undefined && !mayBeDeleted) return check(attributes, known);
      return namespaces.read(namespace).then((found) => check(attributes, found));
    },
  };
}

/** Namespaces that were just deleted, which a lister may not have seen yet. */
class RecentDeletions {
  readonly #now: () => number;
  /** Expiry times, earliest first. */
  readonly #until = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(name: string): void {
    const now = this.#now();
    for (const [known, until] of this.#until) {
      if (until > now) break;
      this.#until.delete(known);
    }
    this.#until.delete(name);
    this.#until.set(name, now + recentMs);
  }

  has(name: string): boolean {
    const until = this.#until.get(name);
    return until !== undefined && until > this.#now();
  }
}

/** 403 with a cause that controllers look for. */
function terminating(attributes: AdmissionAttributes): StatusError {
  const { namespace } = attributes;
  const { status } = refused(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  return new StatusError({
    ...status,
    details: {
      ...status.details,
      causes: [
        {
          reason: "NamespaceTerminating",
          message: `namespace ${namespace} is being terminated`,
          field: "metadata.namespace",
        },
      ],
    },
  });
}
