import { expect, test } from "vitest";
import type { AccessInfo } from "../../apimachinery/requests/authorizer.js";
import type { PodCertificateRequest } from "../../apis/gen/certificates-v1beta1.js";
import { testWriteContext } from "../../apis/testing/api-context.js";
import { podCertificateHooks } from "./pod-certificate-signing.js";

const spec = {
  signerName: "example.com/signer",
  podName: "p",
  podUID: "1",
  serviceAccountName: "s",
  serviceAccountUID: "2",
  nodeName: "n",
  nodeUID: "3",
};
const old: PodCertificateRequest = { metadata: { name: "r" }, spec, status: {} };
const condition = { type: "Denied", status: "True", reason: "No", message: "" };
const denied: PodCertificateRequest = { ...old, status: { conditions: [condition] } };

/** The errors of a write, and the permissions that were checked; `allowed` is the signer that the user may sign for. */
async function problemsOf(next: PodCertificateRequest, isPart: boolean, allowed?: string) {
  const asked: AccessInfo[] = [];
  const hooks = podCertificateHooks(
    {
      authorize({ info }) {
        asked.push(info);
        return { kind: info.name === allowed ? "allow" : "noOpinion", reason: "" };
      },
      rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
    },
    "certificates.example.com",
  );
  const context = { ...testWriteContext(), signal: new AbortController().signal, warn() {} };
  const errors = (await hooks.problems?.(context, next, old, isPart)) ?? [];
  return { errors: errors.map(({ field, body }) => `${field}: ${body}`), asked };
}

test("whoever decides a request needs the permission to sign for its signer, or for all of its domain", async () => {
  expect((await problemsOf(denied, true, "example.com/signer")).errors).toEqual([]);
  expect((await problemsOf(denied, true, "example.com/*")).errors).toEqual([]);
  const { errors, asked } = await problemsOf(denied, true);
  expect(errors).toEqual([
    'spec.signerName: Forbidden: User "user-1" is not permitted to "sign" for signer "example.com/signer"',
  ]);
  expect(asked.map(({ verb, apiGroup, resource, name }) => [verb, apiGroup, resource, name])).toEqual([
    ["sign", "certificates.example.com", "signers", "example.com/signer"],
    ["sign", "certificates.example.com", "signers", "example.com/*"],
  ]);
});

test("nobody is asked for writes that decide nothing", async () => {
  expect((await problemsOf(old, true)).asked).toEqual([]);
  expect((await problemsOf(denied, false)).asked).toEqual([]);
});
