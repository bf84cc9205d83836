import { beforeAll, expect, test } from "vitest";
import { ClientAuthorities } from "./certificates/client-authorities.js";
import { type Issued, issue } from "./certificates/testing/certificates.js";
import {
  type ClientCertificateSettings,
  createClientCertificateAuthenticator,
} from "./client-certificate.js";

const authorities = new ClientAuthorities();
const key = "authentication.example.org/credential-id";
let ca: Issued;

beforeAll(async () => {
  ca = await issue({ subject: "CN=ca", authority: true });
  authorities.replace([ca.certificate]);
});

async function ask(subject: string, settings: Partial<ClientCertificateSettings>) {
  const { certificate } = await issue({ subject, issuer: ca });
  const authenticator = createClientCertificateAuthenticator({
    authorities,
    now: () => new Date(),
    ...settings,
  });
  const result = await authenticator.authenticate({
    authorization: undefined,
    headers: { entries: () => [] },
    certificates: { leaf: certificate, others: [] },
  });
  return { certificate, result };
}

test.each([
  ["CN=jane, 1.3.6.1.4.1.57683.2=u-1", true, { kind: "authenticated", user: { name: "jane", uid: "u-1" } }],
  ["CN=jane, 1.3.6.1.4.1.57683.2=u-1", false, { kind: "authenticated", user: { uid: "" } }],
  ["CN=jane, O=admins", true, { kind: "authenticated", user: { uid: "" } }],
  [
    "CN=jane, 1.3.6.1.4.1.57683.2=a, 1.3.6.1.4.1.57683.2=b",
    true,
    { kind: "rejected", reason: "expected 1 UID, but found multiple: 2" },
  ],
])("subject %s, with its uid read: %j", async (subject, readsUid, expected) => {
  expect((await ask(subject, { readsUid })).result).toMatchObject(expected);
});

test("the digest of the certificate is the user's credential, where it is asked for", async () => {
  const { certificate, result } = await ask("CN=jane", { credentialIdKey: key });
  const hex = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
  expect(result).toMatchObject({ user: { extra: { [key]: [`X509SHA256=${hex}`] } } });
  expect((await ask("CN=jane", {})).result).toMatchObject({ user: { extra: {} } });
});
