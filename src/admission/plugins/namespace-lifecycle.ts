import { notFound, StatusError } from "../../apimachinery/status.js";
import type { AdmissionAttributes } from "../admission-attributes.js";
import type { AdmissionPlugin } from "../admission-plugin.js";
import { refused } from "../refusal.js";

/** What the plugin has to know of a namespace; undefined when it does not exist. */
export interface NamespaceLister {
  /** What is cached costs little, and may be outdated where several servers share a store. */
  find(
    name: string,
    version: "cached" | "newest",
  ): Promise<{ readonly terminating: boolean; readonly deletionTimestamp: string | undefined } | undefined>;
}

export interface NamespaceLifecycleOptions {
  readonly namespaces: NamespaceLister;
  /** Cannot be deleted: `default` and those of the system. */
  readonly immortal: readonly string[];
  /** May be asked while a namespace is terminating or missing: `group/resource` of access reviews. */
  readonly exempt: readonly string[];
  /** Milliseconds. */
  readonly now: () => number;
}

/** How long the newest state of a namespace is looked up after somebody asked for its deletion. */
const doubtMs = 30_000;

/** Nothing is created in a namespace that does not exist or is on its way out, and the first namespaces stay. */
export function namespaceLifecycle(options: NamespaceLifecycleOptions): AdmissionPlugin {
  const { namespaces, immortal, exempt, now } = options;
  /** Until when what is cached of them is not believed, the earliest first. */
  const doubtful = new Map<string, number>();
  const doubt = (name: string): void => {
    for (const [known, until] of doubtful) {
      if (until > now()) break;
      doubtful.delete(known);
    }
    doubtful.delete(name);
    doubtful.set(name, now() + doubtMs);
  };
  return {
    operations: ["CREATE", "DELETE"],
    async mutate(attributes) {
      const { operation, resource, namespace, name } = attributes;
      if (operation === "DELETE") {
        if (resource.group !== "" || resource.resource !== "namespaces") return;
        if (immortal.includes(name)) {
          throw refused(attributes, "this namespace may not be deleted");
        }
        doubt(name);
        return;
      }
      if (namespace === "" || (resource.group === "" && resource.resource === "namespaces")) return;
      if (exempt.includes(`${resource.group}/${resource.resource}`)) return;
      const isDoubtful = (doubtful.get(namespace) ?? 0) > now();
      const cached = isDoubtful ? undefined : await namespaces.find(namespace, "cached");
      const found = cached ?? (await namespaces.find(namespace, "newest"));
      if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
      if (found.terminating) throw terminating(attributes, found.deletionTimestamp);
    },
  };
}

/** 403 with a cause that controllers look for. */
function terminating(attributes: AdmissionAttributes, deletionTimestamp: string | undefined): StatusError {
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
          message: `namespace ${namespace} is being terminated${deletionTimestamp === undefined ? "" : ` since ${deletionTimestamp}`}`,
          field: "metadata.namespace",
        },
      ],
    },
  });
}
