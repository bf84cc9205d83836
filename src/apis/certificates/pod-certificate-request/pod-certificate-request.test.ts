import "reflect-metadata";
import { constants, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { podCertificateRequests } from "./resource.js";

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const pkix = ({ publicKey }: Keys): string => base64(publicKey.export({ type: "spki", format: "der" }));
const uid = "pod-uid-1";

function proofOf({ privateKey }: Keys, text = uid): string {
  const pss = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const isRsa = privateKey.asymmetricKeyType === "rsa";
  const hash = privateKey.asymmetricKeyType === "ed25519" ? null : "sha256";
  return base64(sign(hash, Buffer.from(text), isRsa ? pss : privateKey));
}

const curve = (namedCurve: string): Keys => generateKeyPairSync("ec", { namedCurve });
const ed25519: Keys = generateKeyPairSync("ed25519");
const p256 = curve("P-256");

const kindAt = (level: ApiLevel) => {
  return kindUnderTest(
    podCertificateRequests(testApiContext({ level, gates: { PodCertificateRequest: true } })),
    level,
  );
};
const kind = kindAt("1.35");
const json: JsonObject = {
  metadata: { name: "a", namespace: "ns" },
  spec: {
    signerName: "example.com/signer",
    podName: "pod",
    podUID: uid,
    serviceAccountName: "default",
    serviceAccountUID: "account-uid",
    nodeName: "node",
    nodeUID: "node-uid",
    pkixPublicKey: pkix(ed25519),
    proofOfPossession: proofOf(ed25519),
  },
};

describe("a request", () => {
  test("asks for a day, and is not decided yet", () => {
    const { object, errors } = kind.create({ ...json, status: { certificateChain: "x" } });
    expect(errors).toEqual([]);
    expect(object.spec.maxExpirationSeconds).toBe(86400);
    expect(object.status).toEqual({});
  });

  test.each<[string, Keys, string[]]>([
    ["P-256", p256, []],
    ["P-384", curve("P-384"), []],
    ["P-521", curve("P-521"), []],
    ["3072 bits", generateKeyPairSync("rsa", { modulusLength: 3072 }), []],
    [
      "1024 bits",
      generateKeyPairSync("rsa", { modulusLength: 1024 }),
      ['spec.pkixPublicKey: Invalid value: "1024-bit modulus": RSA keys must have modulus size 3072 or 4096'],
    ],
    [
      "P-224",
      curve("P-224"),
      ['spec.pkixPublicKey: Invalid value: "curve P-224": elliptic public keys must use curve P256 or P384'],
    ],
    [
      "secp256k1",
      curve("secp256k1"),
      [
        expect.stringMatching(
          /^spec\.pkixPublicKey: Invalid value: \[\]byte\{.*\}: must be a valid PKIX-serialized/,
        ),
      ],
    ],
    [
      "X25519",
      { ...ed25519, publicKey: generateKeyPairSync("x25519").publicKey },
      [
        expect.stringMatching(
          /^spec\.pkixPublicKey: Invalid value: \[\]byte\{.*\}: unknown public key type; /,
        ),
      ],
    ],
  ])("for a key with %s", (_what, keys, errors) => {
    const spec = { pkixPublicKey: pkix(keys), proofOfPossession: proofOf(keys) };
    const object = { ...json, spec: { ...(json.spec as JsonObject), ...spec } };
    expect(kind.create(object).errors).toEqual(errors);
    if (errors.length > 0) return;
    expect(kind.create(changed(object, "spec.proofOfPossession", proofOf(keys, "other"))).errors).toEqual([
      "spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature",
    ]);
    expect(kind.create(changed(object, "spec.proofOfPossession", "AAAA")).errors).toEqual([
      "spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature",
    ]);
  });

  const tooLong = base64(Buffer.alloc(10 * 1024 + 1));
  test.each<[string, JsonValue, string[]]>([
    ["spec.nodeUID", "", ['spec.nodeUID: Invalid value: "": must not be empty']],
    [
      "spec.serviceAccountUID",
      "x".repeat(129),
      ["spec.serviceAccountUID: Too long: must have at most 128 bytes"],
    ],
    [
      "spec.nodeName",
      "A",
      [expect.stringMatching(/^spec\.nodeName: Invalid value: "A": a lowercase RFC 1123/)],
    ],
    [
      "spec.maxExpirationSeconds",
      3599,
      ["spec.maxExpirationSeconds: Invalid value: 3599: must be in the range [3600, 7862400]"],
    ],
    ["spec.maxExpirationSeconds", 7862400, []],
    ["spec.pkixPublicKey", tooLong, ["spec.pkixPublicKey: Too long: must have at most 10240 bytes"]],
    ["spec.proofOfPossession", tooLong, ["spec.proofOfPossession: Too long: must have at most 10240 bytes"]],
    [
      "spec.pkixPublicKey",
      "AAAA",
      [
        "spec.pkixPublicKey: Invalid value: []byte{0x0, 0x0, 0x0}: must be a valid PKIX-serialized public key",
      ],
    ],
    [
      "spec.unverifiedUserAnnotations",
      { key: "a" },
      [
        'spec.unverifiedUserAnnotations: Invalid value: "key": must be a domain-prefixed key (such as "acme.io/foo")',
      ],
    ],
    ["spec.unverifiedUserAnnotations", { "Example.com/Key": "a" }, []],
    ["spec.signerName", "", ["spec.signerName: Required value: signerName must be provided"]],
  ])("with %s = %.60j", (path, value, errors) => {
    expect(kind.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("to one of the cluster's own signers is for a day at most", () => {
    const { domain } = testApiContext().naming;
    for (const host of [domain, `a.${domain}`]) {
      const object = changed(
        changed(json, "spec.signerName", `${host}/x`),
        "spec.maxExpirationSeconds",
        86401,
      );
      expect(kind.create(object).errors).toEqual([
        "spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]",
      ]);
    }
  });

  test("never changes", () => {
    expect(kind.update(changed(json, "spec.podName", "other"), json).errors).toEqual([
      expect.stringMatching(/^spec: Invalid value: .*: field is immutable$/),
    ]);
  });
});

describe("a request of PKCS #10", () => {
  const newest = kindAt("1.36");
  const neither =
    "spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set";

  test("takes the place of key and proof at 1.36", async () => {
    const { Pkcs10CertificateRequestGenerator } = await import("@peculiar/x509");
    const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ]);
    const made = await Pkcs10CertificateRequestGenerator.create({
      keys,
      signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
    });
    const bytes = Buffer.from(made.rawData);
    const stub = changed(
      changed(changed(json, "spec.pkixPublicKey", undefined), "spec.proofOfPossession", undefined),
      "spec.stubPKCS10Request",
      base64(bytes),
    );
    expect(newest.create(stub).errors).toEqual([]);
    expect(newest.create(json).errors).toEqual([]);
    expect(newest.create(changed(stub, "spec.pkixPublicKey", pkix(ed25519))).errors).toEqual([neither]);
    expect(newest.create(changed(stub, "spec.stubPKCS10Request", undefined)).errors).toEqual([neither]);
    expect(newest.create(changed(stub, "spec.stubPKCS10Request", "AAAA")).errors).toEqual([
      "spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR",
    ]);
    const last = bytes.length - 1;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    expect(newest.create(changed(stub, "spec.stubPKCS10Request", base64(bytes))).errors).toEqual([
      "spec.stubPKCS10Request: Invalid value: invalid signature",
    ]);
  });
});

describe("a decision", async () => {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const certificate = async (names: ConstructorParameters<typeof SubjectAlternativeNameExtension>[0]) => {
    const made = await X509CertificateGenerator.createSelfSigned({
      name: "CN=pod",
      keys,
      signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
      notBefore: new Date("2022-01-01T00:00:00Z"),
      notAfter: new Date("2022-01-01T02:00:00Z"),
      extensions: [new SubjectAlternativeNameExtension(names)],
    });
    return `${made.toString("pem")}\n`;
  };
  const chain = await certificate([{ type: "dns", value: "pod.example.com" }]);
  const badNames = await certificate([
    { type: "dns", value: "a..example.com." },
    { type: "email", value: "nobody" },
  ]);
  const requested = changed(
    json,
    "spec.pkixPublicKey",
    base64(new Uint8Array(await crypto.subtle.exportKey("spki", keys.publicKey))),
  );
  const condition = (type: string, status = "True"): JsonObject => ({
    type,
    status,
    reason: "Reason",
    message: "",
    lastTransitionTime: "2022-01-01T00:00:00Z",
  });
  const issued = {
    ...requested,
    status: {
      conditions: [condition("Issued")],
      certificateChain: chain,
      notBefore: "2022-01-01T00:00:00Z",
      beginRefreshAt: "2022-01-01T01:00:00Z",
      notAfter: "2022-01-01T02:00:00Z",
    },
  };
  const denied = { ...requested, status: { conditions: [condition("Denied")] } };
  const errorsOf = (next: JsonObject, old: JsonObject = requested, of = kind) =>
    of.update(next, old, "status").errors;

  test("is made once", () => {
    expect(errorsOf(issued)).toEqual([]);
    expect(errorsOf(denied)).toEqual([]);
    const final = "status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed";
    expect(errorsOf(denied, issued)).toEqual([final]);
    expect(errorsOf(requested, denied)).toEqual([final]);
    expect(errorsOf(issued, issued)).toEqual([]);
  });

  test.each<[string, JsonValue | undefined, string[]]>([
    [
      "status.conditions",
      [],
      ['status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"'],
    ],
    [
      "status.conditions",
      [condition("Denied")],
      [
        "status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest",
      ],
    ],
    [
      "status.conditions",
      [condition("Issued"), condition("Failed", "False")],
      [
        'status.conditions.[1].type: Invalid value: "Failed": There may be at most one condition with type "Issued", "Denied", or "Failed"',
        'status.conditions.[1].status: Unsupported value: "False": supported values: "True"',
      ],
    ],
    [
      "status.conditions",
      [condition("Ready")],
      [
        'status.conditions.[0].type: Unsupported value: "Ready": supported values: "Issued", "Denied", "Failed"',
      ],
    ],
    ["status.certificateChain", "x", [expect.stringMatching(/must contain at least one certificate$/)]],
    [
      "status.certificateChain",
      "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n",
      [expect.stringMatching(/must consist entirely of CERTIFICATE PEM blocks$/)],
    ],
    [
      "status.certificateChain",
      `${chain}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
      [expect.stringMatching(/intermediate certificate does not parse as valid X.509$/)],
    ],
    [
      "status.certificateChain",
      "x".repeat(100 * 1024 + 1),
      ["status.certificateChain: Too long: must have at most 102400 bytes"],
    ],
    [
      "status.certificateChain",
      badNames,
      [
        `status.certificateChain: Invalid value: "a..example.com.": leaf certificate's DNSName should not contain '..'`,
        `status.certificateChain: Invalid value: "a..example.com.": leaf certificate's DNSName should not start or end with '.'`,
        'status.certificateChain: Invalid value: "nobody": leaf certificate should not contain invalid EmailAddress',
      ],
    ],
    [
      "status.notBefore",
      undefined,
      ["status.notBefore: Required value: must be present and consistent with the issued certificate"],
    ],
    [
      "status.notBefore",
      "2022-01-01T00:00:01Z",
      [
        'status.notBefore: Invalid value: "2022-01-01T00:00:01Z": must be set to the NotBefore time encoded in the leaf certificate',
      ],
    ],
    [
      "status.beginRefreshAt",
      "2022-01-01T00:09:59Z",
      [
        'status.beginRefreshAt: Invalid value: "2022-01-01T00:09:59Z": must be at least 10 minutes after status.notBefore',
      ],
    ],
    [
      "status.beginRefreshAt",
      "2022-01-01T01:50:01Z",
      [
        'status.beginRefreshAt: Invalid value: "2022-01-01T01:50:01Z": must be at least 10 minutes before status.notAfter',
      ],
    ],
  ])("with %s = %.40j", (path, value, errors) => {
    expect(errorsOf(changed(issued, path, value))).toEqual(errors);
  });

  test("names are looked at since 1.35", () => {
    expect(errorsOf(changed(issued, "status.certificateChain", badNames), requested, kindAt("1.34"))).toEqual(
      [],
    );
  });

  test("is for the key that was asked, now, and as long as was asked", () => {
    expect(errorsOf({ ...issued, spec: json.spec as JsonObject }, json)).toEqual([
      expect.stringMatching(/leaf certificate was not issued to the requested public key$/),
    ]);
    const brief = changed(requested, "spec.maxExpirationSeconds", 3600);
    expect(errorsOf(issued, brief)).toEqual([
      "status.certificateChain: Invalid value: 7200000000000: leaf certificate lifetime must be <= spec.maxExpirationSeconds (3600)",
    ]);
    const { naming } = testApiContext();
    const late = { now: new Date("2022-01-01T00:05:00Z") };
    expect(kind.update(issued, requested, "status", late).errors).toEqual([
      `status.notBefore: Invalid value: "2022-01-01T00:00:00Z": must be set to within 5 minutes of ${naming.commandName}'s current time`,
    ]);
  });

  test("is printed", () => {
    const cells = ["a", "pod", "default", "node", "example.com/signer"];
    expect(kind.cells(json)).toEqual([...cells, "Pending", "<none>"]);
    expect(kind.cells(denied)).toEqual([...cells, "Denied", "<none>"]);
    expect(kindAt("1.34").cells(issued)).toEqual([...cells, "Issued"]);
  });
});
