import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { minorOf } from "../../../apimachinery/levels/api-level.js";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { requestProblem } from "./request-signature.js";
import { certificateSigningRequests } from "./resource.js";

const context = testApiContext();
const { domain } = context.naming;
const csr = kindUnderTest(certificateSigningRequests(context));

function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sha256WithRsa = Buffer.from("06092a864886f70d01010b", "hex");
const sha256WithEcdsa = Buffer.from("06082a8648ce3d040302", "hex");
const ed25519 = Buffer.from("06032b6570", "hex");

/** A request without a subject, signed with its own key. */
function requestPem(kind: "rsa" | "ec" | "ed25519", tamper = false): string {
  const keys =
    kind === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 1024 })
      : kind === "ec"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("ed25519");
  const spki = keys.publicKey.export({ type: "spki", format: "der" });
  const info = der(0x30, Buffer.from([2, 1, 0]), der(0x30), spki, der(0xa0));
  const signature = sign(kind === "ed25519" ? null : "sha256", info, keys.privateKey);
  if (tamper) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
  const algorithm = { rsa: sha256WithRsa, ec: sha256WithEcdsa, ed25519 }[kind];
  const request = der(0x30, info, der(0x30, algorithm), der(3, Buffer.of(0), signature));
  return pem("CERTIFICATE REQUEST", request);
}

function pem(type: string, bytes: Uint8Array): string {
  const lines = Buffer.from(bytes).toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN ${type}-----\n${lines}\n-----END ${type}-----\n`;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const json: JsonObject = {
  metadata: { name: "jane", creationTimestamp: "2021-12-31T23:59:00Z" },
  spec: {
    request: base64(requestPem("ec")),
    signerName: "example.com/signer",
    usages: ["client auth"],
    expirationSeconds: 3600,
    username: "mallory",
    groups: ["system:masters"],
  },
  status: { conditions: [{ type: "Approved", status: "True" }] },
};

describe("the request's signature", () => {
  test.each(["rsa", "ec", "ed25519"] as const)("of %s keys", (kind) => {
    expect(requestProblem(requestPem(kind))).toBeUndefined();
    expect(requestProblem(requestPem(kind, true))).toMatch(/verification (error|failure)/);
  });

  test("of the first block alone, which holds nothing but the request", () => {
    const [good, bad] = [requestPem("ec"), requestPem("ec", true)];
    expect(requestProblem(good + bad)).toBeUndefined();
    expect(requestProblem(bad + good)).toMatch(/verification failure/);
    const bytes = Buffer.from(good.replace(/-----.*-----/g, ""), "base64");
    const longer = pem("CERTIFICATE REQUEST", Buffer.concat([bytes, Buffer.of(5, 0)]));
    expect(requestProblem(longer)).toBe("asn1: syntax error: trailing data");
  });

  test.each([
    ["no PEM", "x", "PEM block type must be CERTIFICATE REQUEST"],
    ["another block", pem("CERTIFICATE", Buffer.of(0x30, 0)), "PEM block type must be CERTIFICATE REQUEST"],
    [
      "an empty sequence",
      pem("CERTIFICATE REQUEST", Buffer.of(0x30, 0)),
      "asn1: structure error: the block is no certificate request",
    ],
    [
      "half an element",
      pem("CERTIFICATE REQUEST", Buffer.of(0x30, 9)),
      "asn1: structure error: the block is no certificate request",
    ],
  ])("of %s", (_what, text, problem) => {
    expect(requestProblem(text)).toBe(problem);
  });
});

test("says who made it, whatever it said, and is not decided yet", () => {
  const user = { name: "jane", uid: "1", groups: ["a"], extra: { scope: ["x"] } };
  const { object, errors } = csr.create(json, { user });
  expect(errors).toEqual([]);
  expect(object.spec).toMatchObject({ username: "jane", uid: "1", groups: ["a"], extra: { scope: ["x"] } });
  expect(object.status.conditions).toBeUndefined();
});

test.each([
  ["spec.usages", [], ["spec.usages: Required value: usages must be provided"]],
  [
    "spec.usages",
    ["any", "fun"],
    [
      expect.stringMatching(
        /^spec\.usages\[1\]: Unsupported value: "fun": supported values: "any", "cert sign"/,
      ),
    ],
  ],
  ["spec.usages", ["any", "any"], ['spec.usages[1]: Duplicate value: "any"']],
  ["spec.signerName", "", ["spec.signerName: Required value: signerName must be provided"]],
  [
    "spec.signerName",
    "signer",
    [
      `spec.signerName: Invalid value: "signer": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
  ],
  [
    "spec.signerName",
    "example/signer",
    [
      'spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots',
    ],
  ],
  [
    "spec.signerName",
    "example.com/Signer",
    [expect.stringMatching(/^spec\.signerName: Invalid value: "Signer": validating label "Signer": /)],
  ],
  [
    "spec.signerName",
    `${domain}/legacy-unknown`,
    [
      `spec.signerName: Invalid value: "${domain}/legacy-unknown": the legacy signerName is not allowed via this API version`,
    ],
  ],
  [
    "spec.expirationSeconds",
    599,
    [
      "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)",
    ],
  ],
  [
    "spec.request",
    base64("x"),
    ["spec.request: Invalid value: []byte{0x78}: PEM block type must be CERTIFICATE REQUEST"],
  ],
])("with %s = %j", (path, value, errors) => {
  expect(csr.create(changed(json, path, value)).errors).toEqual(errors);
});

const pending = changed(json, "status", {});
const approved = changed(json, "status.conditions", [
  {
    type: "Approved",
    status: "True",
    reason: "fine",
    lastUpdateTime: "2021-12-31T00:00:00Z",
    lastTransitionTime: "2021-12-31T00:00:00Z",
  },
]);

test("never changes by itself", () => {
  const { object } = csr.update(changed(approved, "spec.signerName", "example.com/other"), pending);
  expect(object.spec.signerName).toBe("example.com/signer");
  expect(object.status.conditions).toBeUndefined();
});

describe("approval", () => {
  test("adds a decision and when it was made, and no certificate", () => {
    const next = {
      ...json,
      status: { conditions: [{ type: "Approved", status: "True" }], certificate: base64("x") },
    };
    const { object, errors } = csr.update(next, pending, "approval");
    expect(errors).toEqual([]);
    expect(object.status).toEqual({
      conditions: [
        {
          type: "Approved",
          status: "True",
          lastUpdateTime: "2022-01-01T00:00:00Z",
          lastTransitionTime: "2022-01-01T00:00:00Z",
        },
      ],
      certificate: undefined,
    });
  });

  test.each([
    [
      [{ type: "Approved", status: "False" }],
      ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
    ],
    [[{ type: "Approved", status: "" }], ["status.conditions[0].status: Required value"]],
    [
      [
        { type: "Approved", status: "True" },
        { type: "Denied", status: "True" },
      ],
      [
        'status.conditions[1].type: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
      ],
    ],
    [
      [
        { type: "X", status: "True" },
        { type: "X", status: "True" },
      ],
      ['status.conditions[1].type: Duplicate value: "X"'],
    ],
    [[{ type: "", status: "Unknown" }], ["status.conditions[0].type: Required value"]],
  ])("with conditions %j", (conditions, errors) => {
    expect(csr.update(changed(json, "status.conditions", conditions), pending, "approval").errors).toEqual(
      errors,
    );
  });

  test("in the words of 1.34, contradict each other as a whole", () => {
    const conditions = ["Approved", "Denied"].map((type) => ({ type, status: "True" }));
    const json = changed(pending, "status.conditions", conditions);
    expect(withErrorTextsOf(minorOf("1.34"), () => csr.update(json, pending, "approval").errors)).toEqual([
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ]);
  });

  test("cannot be taken back", () => {
    expect(csr.update(pending, approved, "approval").errors).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
  });
});

describe("status", () => {
  const certificate = base64(pem("CERTIFICATE", selfSigned()));

  test("adds the certificate, once", () => {
    const issued = changed(approved, "status.certificate", certificate);
    expect(csr.update(issued, approved, "status")).toMatchObject({
      errors: [],
      object: { status: { certificate } },
    });
    expect(csr.update(approved, issued, "status").errors).toEqual([
      "status.certificate: Forbidden: updates may not modify existing certificate content",
    ]);
  });

  test("does not decide, and cannot change what was decided", () => {
    expect(csr.update(approved, pending, "status").errors).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    const reworded = changed(approved, "status.conditions.0.reason", "other");
    expect(csr.update(reworded, approved, "status").object.status.conditions?.[0]?.reason).toBe("fine");
  });

  test.each([
    ["x", "must contain at least one CERTIFICATE PEM block"],
    [pem("KEY", Buffer.of(1)), 'only CERTIFICATE PEM blocks are allowed, found "KEY"'],
    [
      "-----BEGIN CERTIFICATE-----\nA: b\n\nAQ==\n-----END CERTIFICATE-----\n",
      "no PEM block headers are permitted",
    ],
    [pem("CERTIFICATE", Buffer.of(1)), "x509: malformed certificate"],
  ])("refuses %j as certificate", (text, problem) => {
    const next = changed(approved, "status.certificate", base64(text));
    expect(csr.update(next, approved, "status").errors).toEqual([
      `status.certificate: Invalid value: "<certificate data>": ${problem}`,
    ]);
  });
});

test("may ask for a lifetime only while the gate is on", () => {
  const gated = kindUnderTest(certificateSigningRequests(testApiContext({ gates: { CSRDuration: false } })));
  expect(gated.create(json).object.spec.expirationSeconds).toBeUndefined();
});

test("prints how far it has come", () => {
  expect(csr.cells(approved)).toEqual(["jane", "60s", "example.com/signer", "mallory", "60m", "Approved"]);
  expect(csr.cells(pending)[5]).toBe("Pending");
  const issued = {
    ...json,
    status: {
      conditions: [
        { type: "Denied", status: "True" },
        { type: "Failed", status: "True" },
      ],
      certificate: "AQ==",
    },
  };
  expect(csr.cells(issued)[5]).toBe("Denied,Failed,Issued");
});

/** A self-signed certificate of an Ed25519 key, without a subject. */
function selfSigned(): Buffer {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const algorithm = der(0x30, ed25519);
  const time = der(0x17, Buffer.from("220101000000Z"));
  const serial = createHash("sha256").update("serial").digest().subarray(0, 4);
  serial[0] = 1;
  const spki = publicKey.export({ type: "spki", format: "der" });
  const body = der(0x30, der(2, serial), algorithm, der(0x30), der(0x30, time, time), der(0x30), spki);
  return der(0x30, body, algorithm, der(3, Buffer.of(0), sign(null, body, privateKey)));
}
