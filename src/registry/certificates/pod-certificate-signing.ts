import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { FieldPath, forbidden } from "../../apimachinery/errors/field-error.js";
import { type Authorizer, resourceAccess } from "../../apimachinery/requests/authorizer.js";
import { signerResourceNames } from "../../apis/checks/signer-name.js";
import type { PodCertificateRequest } from "../../apis/gen/certificates-v1beta1.js";
import type { RegistryContext } from "../generic/registry-context.js";
import type { RegistryHooks } from "../generic/write-stages.js";

/** Deciding a request, in its status, requires the permission to sign for its signer. `group` is the API group of signers. */
export function podCertificateHooks(
  authorizer: Authorizer,
  group: string,
): RegistryHooks<PodCertificateRequest> {
  return {
    async problems(context, request, old, isPart) {
      if (!isPart || old === undefined || isDeepEqual(request.status ?? {}, old.status ?? {})) return [];
      const { signerName } = old.spec;
      if (await maySign(authorizer, context, group, signerName)) return [];
      const who = JSON.stringify(context.user.name);
      const why = `User ${who} is not permitted to "sign" for signer ${JSON.stringify(signerName)}`;
      return [forbidden(FieldPath.of("spec", "signerName"), why)];
    },
  };
}

async function maySign(
  authorizer: Authorizer,
  { user, signal }: RegistryContext,
  apiGroup: string,
  signerName: string,
): Promise<boolean> {
  for (const name of signerResourceNames(signerName)) {
    const info = resourceAccess({ verb: "sign", apiGroup, apiVersion: "*", resource: "signers", name });
    const { kind } = await authorizer.authorize({ user, info, signal });
    if (kind === "allow") return true;
  }
  return false;
}
