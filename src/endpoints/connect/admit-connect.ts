import type { AdmissionChain } from "../../admission/admission-chain.js";
import type { ApiObject } from "../../apimachinery/meta.js";
import type { ApiRequest } from "../api-request.js";

/** Asks admission about a connection. `kind` is that of its options, all of the core group. */
export async function admitConnect(
  admission: AdmissionChain,
  request: ApiRequest,
  kind: string,
  options: object,
): Promise<void> {
  const { info } = request;
  // Options of a connection have no metadata; plugins that look into objects know them by their kind.
  const object = { metadata: {}, ...options } as ApiObject;
  const attributes = {
    operation: "CONNECT" as const,
    kind: { group: "", version: "v1", kind },
    resource: { group: "", version: info.apiVersion, resource: info.resource },
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    object,
    oldObject: undefined,
    user: request.user,
    dryRun: false,
    signal: request.signal,
    options: undefined,
    warn: (text: string) => request.warn(text),
  };
  await admission.mutate(attributes);
  await admission.validate(attributes);
}
