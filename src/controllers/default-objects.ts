import type { ConfigMap } from "../apis/gen/core-v1.js";
import type { NamespaceDefault } from "./namespace-defaults.js";

/** The account of pods that name none. */
export const defaultServiceAccount: NamespaceDefault<"serviceaccounts"> = {
  controller: "service-account-controller",
  queue: "serviceaccount",
  resource: "serviceaccounts",
  name: "default",
  make() {
    return { metadata: { name: "default" } };
  },
  isGood: () => true,
  repair() {},
};

export interface RootCaOptions {
  /** Name of the config map, in the profile's words. */
  readonly name: string;
  /** PEM of the authorities that signed the server's certificate. */
  readonly caPem: string;
  /** `DOMAIN/description`. */
  readonly descriptionAnnotation: string;
}

/** The authority with which clients in the cluster verify the API server. */
export function rootCaConfigMap(options: RootCaOptions): NamespaceDefault<"configmaps"> {
  const fill = (object: ConfigMap): void => {
    object.data = { "ca.crt": options.caPem };
    object.metadata.annotations = {
      ...object.metadata.annotations,
      [options.descriptionAnnotation]:
        "Contains a CA bundle that can be used to verify the API server of this cluster, by its service name or its addresses.",
    };
  };
  return {
    controller: "root-ca-cert-publisher",
    queue: "root_ca_cert_publisher",
    resource: "configmaps",
    name: options.name,
    make(): ConfigMap {
      const object: ConfigMap = { metadata: { name: options.name } };
      fill(object);
      return object;
    },
    isGood: ({ data }) => data?.["ca.crt"] === options.caPem,
    repair: fill,
  };
}
