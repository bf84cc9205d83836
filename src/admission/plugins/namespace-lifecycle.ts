import { forbiddenError, notFound, StatusError } from "../../apimachinery/status.js";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission-chain.js";

/** What the plugin has to know of a namespace; undefined when it does not exist. */
export interface NamespaceLister {
  find(
    name: string,
  ): Promise<{ readonly terminating: boolean; readonly deletionTimestamp: string | undefined } | undefined>;
}

export interface NamespaceLifecycleOptions {
  readonly namespaces: NamespaceLister;
  /** Cannot be deleted: `default` and those of the system. */
  readonly immortal: readonly string[];
  /** May be asked while a namespace is terminating or missing: `group/resource` of access reviews. */
  readonly exempt: readonly string[];
}

/** Nothing is created in a namespace that does not exist or is on its way out, and the first namespaces stay. */
export function namespaceLifecycle(options: NamespaceLifecycleOptions): AdmissionPlugin {
  const { namespaces, immortal, exempt } = options;
  return {
    name: "NamespaceLifecycle",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE" || operation === "DELETE",
    async mutate(attributes) {
      const { operation, resource, namespace, name } = attributes;
      if (operation === "DELETE") {
        if (resource.group === "" && resource.resource === "namespaces" && immortal.includes(name)) {
          throw forbiddenError(resource, name, "this namespace may not be deleted");
        }
        return;
      }
      if (namespace === "" || (resource.group === "" && resource.resource === "namespaces")) return;
      if (exempt.includes(`${resource.group}/${resource.resource}`)) return;
      // An update of what is there is no reason to look for its namespace.
      if (operation === "UPDATE") return;
      const found = await namespaces.find(namespace);
      if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
      if (found.terminating) throw terminating(attributes, found.deletionTimestamp);
    },
  };
}

/** 403 with a cause that controllers look for. */
function terminating(attributes: AdmissionAttributes, deletionTimestamp: string | undefined): StatusError {
  const { namespace, resource, name } = attributes;
  const refused = forbiddenError(
    resource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  return new StatusError({
    ...refused.status,
    details: {
      ...refused.status.details,
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
