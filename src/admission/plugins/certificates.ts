import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { requestSubject } from "../../apis/certificates/certificate-signing-request/request-subject.js";
import { signerResourceNames } from "../../apis/checks/signer-name.js";
import { isForGarbageCollection } from "../../apis/definition/garbage-collection-update.js";
import type { CertificateSigningRequest } from "../../apis/gen/certificates-v1.js";
import type { ClusterTrustBundle } from "../../apis/gen/certificates-v1beta1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import type { PluginContext } from "./plugin-context.js";

type Context = Pick<PluginContext, "naming" | "authorizer">;

interface RequestWrite {
  readonly request: CertificateSigningRequest;
  readonly old: CertificateSigningRequest | undefined;
}

/** Approving a request requires the permission to approve for its signer. */
export function certificateApproval({ naming, authorizer }: Context): AdmissionPlugin {
  const group = naming.group("certificates");
  return {
    operations: ["UPDATE"],
    validate(attributes) {
      const write = requestWriteOf(attributes, group, "approval");
      if (write === undefined) return;
      // The new object's signer, because an update could change it along with the approval.
      return checkSigner(authorizer, attributes, "approve", write.request.spec.signerName);
    },
  };
}

/** Writing a certificate into a request requires the permission to sign for its signer. */
export function certificateSigning({ naming, authorizer }: Context): AdmissionPlugin {
  const group = naming.group("certificates");
  return {
    operations: ["UPDATE"],
    validate(attributes) {
      const write = requestWriteOf(attributes, group, "status");
      if (write?.old === undefined) return;
      const { request, old } = write;
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
  const group = naming.group("certificates");
  return {
    operations: ["CREATE", "UPDATE"],
    async validate(attributes) {
      const { resource, subresource, object, oldObject } = attributes;
      if (resource.resource !== "clustertrustbundles" || resource.group !== group) return;
      if (subresource !== "" || object === undefined) return;
      const { signerName = "" } = (object as ClusterTrustBundle).spec; // the resource is written as bundles
      if (signerName === "") return;
      // Migrations of the store write objects as they are, and the garbage collector releases them.
      if (oldObject !== undefined && isForGarbageCollection(object, oldObject)) return;
      if (await isAllowedForSigner(authorizer, attributes, "attest", signerName)) return;
      throw refused(attributes, `user not permitted to attest for signerName "${signerName}"`);
    },
  };
}

/** A client certificate for the API server must not put its bearer into system:masters. */
export function certificateSubjectRestriction({ naming }: Pick<Context, "naming">): AdmissionPlugin {
  const signer = `${naming.domain}/${naming.commandName}-client`;
  const forbidden = "system:masters";
  const group = naming.group("certificates");
  return {
    operations: ["CREATE"],
    validate(attributes) {
      const write = requestWriteOf(attributes, group, "");
      if (write?.request.spec.signerName !== signer) return;
      if (organizationsOf(attributes, write.request).includes(forbidden)) {
        throw refused(attributes, `use of ${signer} signer with ${forbidden} group is not allowed`);
      }
    },
  };
}

function requestWriteOf(
  { resource, subresource, object, oldObject }: AdmissionAttributes,
  group: string,
  wanted: string,
): RequestWrite | undefined {
  if (resource.resource !== "certificatesigningrequests" || resource.group !== group) return undefined;
  if (subresource !== wanted || object === undefined) return undefined;
  // The resource and its subresources are written as requests.
  return {
    request: object as CertificateSigningRequest,
    old: oldObject as CertificateSigningRequest | undefined,
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
