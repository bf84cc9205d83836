import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { requestSubject } from "../../apis/certificates/certificate-signing-request/request-subject.js";
import { signerResourceNames } from "../../apis/checks/signer-name.js";
import { isForGarbageCollection } from "../../apis/definition/garbage-collection-update.js";
import type { CertificateSigningRequest } from "../../apis/gen/certificates-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

type Context = Pick<PluginContext, "naming" | "authorizer">;

/** Approving a request requires the permission to approve for its signer. */
export function certificateApproval({ naming, authorizer }: Context): AdmissionPlugin {
  const writesApproval = writesOf("certificatesigningrequests.certificates", naming, "approval");
  return {
    operations: ["UPDATE"],
    validate(attributes) {
      if (!writesApproval(attributes) || attributes.object === undefined) return;
      // The new object's signer, because an update could change it along with the approval.
      return checkSigner(authorizer, attributes, "approve", attributes.object.spec.signerName);
    },
  };
}

/** Writing a certificate into a request requires the permission to sign for its signer. */
export function certificateSigning({ naming, authorizer }: Context): AdmissionPlugin {
  const writesStatus = writesOf("certificatesigningrequests.certificates", naming, "status");
  return {
    operations: ["UPDATE"],
    validate(attributes) {
      if (!writesStatus(attributes)) return;
      const { object: request, oldObject: old } = attributes;
      if (request === undefined || old === undefined) return;
      const isSame =
        request.status.certificate === old.status.certificate &&
        isDeepEqual(request.status.conditions ?? [], old.status.conditions ?? []);
      if (isSame) return;
      return checkSigner(authorizer, attributes, "sign", old.spec.signerName);
    },
  };
}

/** Rejects with 403. */
async function checkSigner(
  authorizer: Context["authorizer"],
  attributes: AdmissionAttributes,
  verb: "approve" | "sign",
  signerName: string,
): Promise<void> {
  if (await isAllowedForSigner(authorizer, attributes, verb, signerName)) return;
  throw refused(attributes, `user not permitted to ${verb} requests with signerName "${signerName}"`);
}

/** Writing a bundle of trust anchors of a signer requires the permission to attest for it. */
export function clusterTrustBundleAttest({ naming, authorizer }: Context): AdmissionPlugin {
  const writesBundle = writesOf("clustertrustbundles.certificates", naming);
  return {
    operations: ["CREATE", "UPDATE"],
    async validate(attributes) {
      if (!writesBundle(attributes)) return;
      const { object, oldObject } = attributes;
      if (object === undefined) return;
      const { signerName = "" } = object.spec;
      if (signerName === "") return;
      // Storage migrations write objects unchanged, and the garbage collector changes only metadata.
      if (oldObject !== undefined && isForGarbageCollection(object, oldObject)) return;
      if (await isAllowedForSigner(authorizer, attributes, "attest", signerName)) return;
      throw refused(attributes, `user not permitted to attest for signerName "${signerName}"`);
    },
  };
}

/** A client certificate for the API server must not make its holder a member of system:masters. */
export function certificateSubjectRestriction({ naming }: Pick<Context, "naming">): AdmissionPlugin {
  const signer = `${naming.domain}/${naming.commandName}-client`;
  const forbidden = "system:masters";
  const writesRequest = writesOf("certificatesigningrequests.certificates", naming);
  return {
    operations: ["CREATE"],
    validate(attributes) {
      const request = writesRequest(attributes) ? attributes.object : undefined;
      if (request?.spec.signerName !== signer) return;
      if (organizationsOf(attributes, request).includes(forbidden)) {
        throw refused(attributes, `use of ${signer} signer with ${forbidden} group is not allowed`);
      }
    },
  };
}

async function isAllowedForSigner(
  authorizer: Context["authorizer"],
  { user, signal }: AdmissionAttributes,
  verb: string,
  signerName: string,
): Promise<boolean> {
  const question = { group: "certificates", version: "*", resource: "signers", verb };
  for (const name of signerResourceNames(signerName)) {
    const { isAllowed } = await authorizer.authorize(user, { ...question, name }, signal);
    if (isAllowed) return true;
  }
  return false;
}

function organizationsOf(
  attributes: AdmissionAttributes,
  { spec }: CertificateSigningRequest,
): readonly string[] {
  try {
    return requestSubject(Buffer.from(spec.request ?? "", "base64").toString("latin1")).organizations;
  } catch (error) {
    throw refused(attributes, `failed to parse CSR: ${error instanceof Error ? error.message : error}`);
  }
}
