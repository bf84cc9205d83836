import { nameIsAnything } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ClusterTrustBundle } from "../../gen/certificates-v1beta1.js";
import { validateTrustBundle, validateTrustBundleUpdate } from "./validation.js";

const featureGate = "ClusterTrustBundle";

export function clusterTrustBundles(context: ApiContext): ResourceDefinition<ClusterTrustBundle> {
  return defineResource<ClusterTrustBundle>({
    group: context.naming.group("certificates"),
    resource: "clustertrustbundles",
    kind: "ClusterTrustBundle",
    namespaced: false,
    since: "1.27",
    versions: [
      hub<ClusterTrustBundle>(context, {
        version: "v1beta1",
        since: "1.33",
        featureGate,
        enabledByDefault: false,
        lifecycle: { introduced: "1.33", deprecated: "1.37", removed: "1.40" },
        type: "certificates/v1beta1.ClusterTrustBundle",
      }),
      spoke<ClusterTrustBundle, ClusterTrustBundle>(context, {
        version: "v1alpha1",
        featureGate,
        enabledByDefault: false,
        lifecycle: { introduced: "1.26", deprecated: "1.34", removed: "1.37" },
        before: { "1.32": { lifecycle: { introduced: "1.26", deprecated: "1.29", removed: "1.32" } } },
        type: "certificates/v1alpha1.ClusterTrustBundle",
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
    ],
    storage: {
      version: "v1beta1",
      before: { "1.33": { version: "v1alpha1" } },
      prefix: "/clustertrustbundles",
    },
    strategy: strategy<ClusterTrustBundle>({
      // Which names are valid depends on the signer.
      validateName: nameIsAnything,
      allowUnconditionalUpdate: false,
      validate: (_write, object) => validateTrustBundle(object),
      validateUpdate: (_write, object, old) => validateTrustBundleUpdate(object, old),
    }),
    selectableFields: {
      names: ["spec.signerName"],
      values: ({ spec }) => ({ "spec.signerName": spec.signerName ?? "" }),
    },
    columns,
  });
}

const columns: TableColumns<ClusterTrustBundle> = {
  columns: [nameColumn, column("SignerName", "string", "The signer whose certificates the bundle verifies.")],
  cells: ({ metadata, spec: { signerName = "" } }) => [
    metadata.name ?? "",
    signerName === "" ? "<none>" : signerName,
  ],
};
