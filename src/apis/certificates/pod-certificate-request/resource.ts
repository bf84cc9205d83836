import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub, spoke } from "../../definition/define-resource.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { PodCertificateRequest as PodCertificateRequestV1alpha1 } from "../../gen/certificates-v1alpha1.js";
import type { PodCertificateRequest } from "../../gen/certificates-v1beta1.js";
import { podCertificateColumns } from "./columns.js";
import { validatePodCertificateStatus } from "./status-validation.js";
import { validatePodCertificateRequest, validatePodCertificateRequestUpdate } from "./validation.js";

const featureGate = "PodCertificateRequest";
const defaultExpirationSeconds = 24 * 60 * 60;

export function podCertificateRequests(context: ApiContext): ResourceDefinition<PodCertificateRequest> {
  const { level, naming } = context;
  const rules = { level, domain: naming.domain, server: naming.commandName };
  const main = strategy<PodCertificateRequest>({
    allowUnconditionalUpdate: false,
    prepareForCreate(_write, request) {
      request.status = {};
    },
    prepareForUpdate(_write, request, old) {
      request.status = old.status;
    },
    validate: (_write, request) => validatePodCertificateRequest(request, rules),
    validateUpdate: (_write, request, old) => validatePodCertificateRequestUpdate(request, old),
  });
  return defineResource<PodCertificateRequest>({
    group: naming.group("certificates"),
    resource: "podcertificaterequests",
    kind: "PodCertificateRequest",
    namespaced: true,
    since: "1.34",
    versions: [
      hub<PodCertificateRequest>(context, {
        version: "v1beta1",
        since: "1.35",
        featureGate,
        enabledByDefault: false,
        lifecycle: { introduced: "1.35", deprecated: "1.38", removed: "1.41" },
        type: "certificates/v1beta1.PodCertificateRequest",
        setDefaults,
      }),
      spoke<PodCertificateRequest, PodCertificateRequestV1alpha1>(context, {
        version: "v1alpha1",
        until: "1.35",
        featureGate,
        enabledByDefault: false,
        type: "certificates/v1alpha1.PodCertificateRequest",
        setDefaults,
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
    ],
    storage: {
      version: "v1beta1",
      before: { "1.35": { version: "v1alpha1" } },
      prefix: "/podcertificaterequests",
    },
    strategy: main,
    subresources: [
      statusPart(main, {
        prepareForUpdate: (_write, request, old) => resetMetadataForStatus(request, old),
        validateUpdate: ({ now }, request, old) => validatePodCertificateStatus(request, old, now, rules),
      }),
    ],
    selectableFields: {
      names: ["spec.signerName", "spec.podName", "spec.nodeName"],
      values: ({ spec }) => ({
        "spec.signerName": spec.signerName,
        "spec.podName": spec.podName,
        "spec.nodeName": spec.nodeName,
      }),
    },
    columns: podCertificateColumns,
  });
}

function setDefaults({ spec }: PodCertificateRequest | PodCertificateRequestV1alpha1): void {
  spec.maxExpirationSeconds ??= defaultExpirationSeconds;
}
