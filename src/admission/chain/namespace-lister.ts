import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Namespace } from "../../apis/gen/core-v1.js";

/** A namespace as plugins see it. */
export interface NamespaceView {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly isTerminating: boolean;
}

export interface NamespaceLister {
  get(name: string): NamespaceView | undefined;
  /** The newest state in the store. */
  read(name: string): Promise<NamespaceView | undefined>;
}

export function namespaceView(object: ApiObject): NamespaceView {
  const { metadata, status } = object as Namespace; // made of objects of the resource namespaces alone
  return {
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    isTerminating: status?.phase === "Terminating",
  };
}
