import "reflect-metadata";
import { BasicConstraintsExtension, X509CertificateGenerator } from "@peculiar/x509";
import { expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { clusterTrustBundles } from "./resource.js";

async function certificate(isAuthority: boolean): Promise<string> {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const made = await X509CertificateGenerator.createSelfSigned({
    name: "CN=a",
    keys,
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
    extensions: [new BasicConstraintsExtension(isAuthority)],
  });
  return `${made.toString("pem")}\n`;
}

const [authority, other, leaf] = await Promise.all([true, true, false].map(certificate));
const kind = kindUnderTest(clusterTrustBundles(testApiContext({ level: "1.35" })));
const json = {
  metadata: { name: "example.com:signer:live" },
  spec: { signerName: "example.com/signer", trustBundle: `${authority}${other}` },
};
const bundleError = (why: string) => `spec.trustBundle: Invalid value: "<value omitted>": ${why}`;

test.each([
  ["spec.trustBundle", `${authority}${other}`, []],
  ["spec.trustBundle", "", [bundleError("at least one trust anchor must be provided")]],
  [
    "spec.trustBundle",
    `${authority}${other}${authority}`,
    [bundleError("duplicate trust anchor (indices [0 2])")],
  ],
  ["spec.trustBundle", `${authority}${leaf}`, [bundleError("entry 1 does not have the CA bit set")]],
  [
    "spec.trustBundle",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    [bundleError("entry 0 does not parse as X.509")],
  ],
  [
    "spec.trustBundle",
    "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n",
    [bundleError("entry 0 has bad block type: KEY")],
  ],
  [
    "spec.trustBundle",
    "a".repeat(1024 * 1024 + 1),
    ["spec.trustBundle: Too long: must have at most 1048576 bytes"],
  ],
  [
    "metadata.name",
    "live",
    [
      'metadata.name: Invalid value: "live": ClusterTrustBundle for signerName example.com/signer must be named with prefix example.com:signer:',
    ],
  ],
  [
    "metadata.generateName",
    "live-",
    [
      'metadata.generateName: Invalid value: "live-": ClusterTrustBundle for signerName example.com/signer must be named with prefix example.com:signer:',
    ],
  ],
  ["metadata.generateName", "example.com:signer:live-", []],
  [
    "spec.signerName",
    undefined,
    [
      'metadata.name: Invalid value: "example.com:signer:live": ClusterTrustBundle without signer name must not have ":" in its name',
    ],
  ],
])("a bundle with another %s: %.60s", (path, value, errors) => {
  expect(kind.create(changed(json, path, value)).errors).toEqual(errors);
});

test("a bundle keeps its signer, and anchors that were valid once", () => {
  const old = changed(json, "spec.trustBundle", "anything");
  expect(kind.update(old, old).errors).toEqual([]);
  const without = changed(changed(json, "spec.signerName", undefined), "metadata.name", "live");
  expect(kind.update(without, changed(json, "metadata.name", "live")).errors).toEqual([
    'spec.signerName: Invalid value: "": field is immutable',
  ]);
});

test("all places of an anchor that is there many times are told once", () => {
  const many = 1000;
  const places = Array.from({ length: many }, (_, index) => index).join(" ");
  const { errors } = kind.create(changed(json, "spec.trustBundle", authority?.repeat(many)));
  expect(errors).toEqual([bundleError(`duplicate trust anchor (indices [${places}])`)]);
});
