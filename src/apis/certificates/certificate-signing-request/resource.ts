import type { ApiContext } from "../../definition/api-context.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { CertificateSigningRequest } from "../../gen/certificates-v1.js";
import { signingRequestColumns } from "./columns.js";
import { signingRequestStrategies } from "./strategy.js";

export function certificateSigningRequests(
  context: ApiContext,
): ResourceDefinition<CertificateSigningRequest> {
  const { main, approval, status } = signingRequestStrategies(context);
  return defineResource<CertificateSigningRequest>({
    group: context.naming.group("certificates"),
    resource: "certificatesigningrequests",
    kind: "CertificateSigningRequest",
    namespaced: false,
    shortNames: ["csr"],
    versions: [
      hub<CertificateSigningRequest>(context, {
        version: "v1",
        type: "certificates/v1.CertificateSigningRequest",
      }),
    ],
    storage: { version: "v1", prefix: "/certificatesigningrequests" },
    strategy: main,
    subresources: [
      { kind: "part", name: "approval", verbs: partVerbs, strategy: approval },
      { kind: "part", name: "status", verbs: partVerbs, strategy: status },
    ],
    selectableFields: {
      names: ["spec.signerName"],
      values: (object) => ({ "spec.signerName": object.spec.signerName }),
    },
    columns: signingRequestColumns,
  });
}
