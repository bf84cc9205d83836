import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "../../apis/gen/admissionregistration-v1.js";

export type ManifestObject =
  | MutatingAdmissionPolicy
  | MutatingAdmissionPolicyBinding
  | MutatingWebhookConfiguration
  | ValidatingAdmissionPolicy
  | ValidatingAdmissionPolicyBinding
  | ValidatingWebhookConfiguration;

/**
 * Throws an `Error` for what files may not contain: they must work without objects of the cluster, such as services and parameters, which
 * may not exist yet. Source: apiserver `pkg/admission/plugin/manifest`, KEP-5793.
 */
export function checkManifest(object: ManifestObject, kind: string, { file, suffix }: ManifestPlace): void {
  const name = object.metadata.name ?? "";
  const quoted = JSON.stringify(name);
  const inFile = `file ${JSON.stringify(file)}`;
  if (name === "") throw new Error(`resource in ${inFile} must have a name`);
  if (!name.endsWith(suffix))
    throw new Error(`${quoted} in ${inFile} must have a name ending with ${JSON.stringify(suffix)}`);
  if ("webhooks" in object) {
    for (const { name: webhook, clientConfig } of object.webhooks ?? []) {
      const where = `webhook ${JSON.stringify(webhook)} in ${quoted} (${inFile})`;
      if (clientConfig.service !== undefined)
        throw new Error(
          `${where}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`,
        );
      if ((clientConfig.url ?? "") === "")
        throw new Error(`${where}: clientConfig.url is required for static manifests`);
    }
  }
  if (!("spec" in object)) return;
  const { spec } = object;
  if ("paramKind" in spec && spec.paramKind !== undefined)
    throw new Error(`${kind} ${quoted}: spec.paramKind is not supported for static manifests`);
  if (!kind.endsWith("Binding")) return;
  const policy = policyNameOf(object);
  if (policy === "") throw new Error(`binding ${quoted} must reference a policy (spec.policyName)`);
  if (!policy.endsWith(suffix))
    throw new Error(
      `binding ${quoted}: spec.policyName ${JSON.stringify(policy)} must end with ${JSON.stringify(suffix)}`,
    );
  if ("paramRef" in spec && spec.paramRef !== undefined)
    throw new Error(`binding ${quoted}: spec.paramRef is not supported for static manifests`);
}

export interface ManifestPlace {
  readonly file: string;
  /** Suffix of all names: `.static.DOMAIN`. */
  readonly suffix: string;
}

/** Name of the policy that a binding refers to. */
export function policyNameOf(object: ManifestObject): string {
  return "spec" in object && "policyName" in object.spec ? (object.spec.policyName ?? "") : "";
}
