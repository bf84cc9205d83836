import { type JsonWebKey, webcrypto, X509Certificate } from "node:crypto";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { beforeAll, expect, test } from "vitest";
import { ClientAuthorities, parseCertificates } from "./client-authorities.js";
import { type Issued, issue } from "./testing/certificates.js";

const { clientAuth, serverAuth } = x509.ExtendedKeyUsage;
const anyUsage = "2.5.29.37.0" as unknown as x509.ExtendedKeyUsageType; // not in the library's list
const hourMs = 3_600_000;
const now = Date.now();

let root: Issued;
let intermediate: Issued;
let leaf: Issued;

beforeAll(async () => {
  root = await issue({ subject: "CN=root", authority: true });
  intermediate = await issue({ subject: "CN=intermediate", issuer: root, authority: true });
  leaf = await issue({ subject: "CN=jane", issuer: intermediate, usages: [clientAuth] });
});

function verdict(
  anchors: readonly X509Certificate[],
  [first, ...others]: readonly Issued[],
  at = now,
): string {
  const authorities = new ClientAuthorities();
  authorities.replace(anchors);
  if (first === undefined) throw new Error("no leaf");
  const result = authorities.verify(
    { leaf: first.certificate, others: others.map(({ certificate }) => certificate) },
    at,
  );
  return result.kind === "trusted" ? "trusted" : result.reason;
}

const unknownAuthority = "x509: certificate signed by unknown authority";

test("a path leads through the intermediates that the client sends, in any order", async () => {
  const anchors = [root.certificate];
  const second = await issue({ subject: "CN=second", issuer: intermediate, authority: true });
  const deep = await issue({ subject: "CN=deep", issuer: second });
  expect(verdict(anchors, [leaf, intermediate])).toBe("trusted");
  expect(verdict(anchors, [deep, root, intermediate, second])).toBe("trusted");
  expect(verdict(anchors, [deep, second])).toBe(unknownAuthority);
  expect(verdict(anchors, [leaf])).toBe(unknownAuthority);
});

test("every certificate of the bundle is an anchor, intermediates and leaves too", () => {
  expect(verdict([intermediate.certificate], [leaf])).toBe("trusted");
  expect(verdict([leaf.certificate], [leaf])).toBe("trusted");
  expect(verdict([], [leaf, intermediate, root])).toBe(unknownAuthority);
});

test("a CA with a new certificate for its key is still trusted", async () => {
  const renewed = await issue({ subject: "CN=root", authority: true, keys: root.keys });
  expect(verdict([renewed.certificate], [leaf, intermediate])).toBe("trusted");
});

test("another key of the same name is not trusted", async () => {
  const impostor = await issue({ subject: "CN=root", authority: true });
  const forged = await issue({ subject: "CN=jane", issuer: impostor });
  expect(verdict([root.certificate], [forged])).toBe(unknownAuthority);
  expect(verdict([root.certificate], [forged, impostor])).toBe(unknownAuthority);
  const renamed = await issue({ subject: "CN=jane", issuer: impostor, issuerName: "CN=intermediate" });
  expect(verdict([root.certificate], [renamed, intermediate])).toBe(unknownAuthority);
});

test("a user's certificate signs nobody else's", async () => {
  const signer = await issue({ subject: "CN=jane", issuer: root, authority: false });
  const unmarked = await issue({ subject: "CN=joe", issuer: root });
  const cannot = "x509: invalid signature: parent certificate cannot sign this kind of certificate";
  for (const issuer of [signer, unmarked]) {
    const signed = await issue({ subject: "CN=admin, O=system:masters", issuer });
    expect(verdict([root.certificate], [signed, issuer])).toBe(cannot);
  }
});

test("a path length constraint is enforced", async () => {
  const short = await issue({ subject: "CN=short", authority: true, pathLength: 0 });
  const direct = await issue({ subject: "CN=jane", issuer: short });
  expect(verdict([short.certificate], [direct])).toBe("trusted");
  const below = await issue({ subject: "CN=below", issuer: short, authority: true });
  const indirect = await issue({ subject: "CN=jane", issuer: below });
  expect(verdict([short.certificate], [indirect, below])).toBe(
    "x509: too many intermediates for path length constraint",
  );
});

test("extended usages must allow clients, all along the path", async () => {
  const wrong = "x509: certificate specifies an incompatible key usage";
  const anchors = [root.certificate];
  const withUses = (usages: x509.ExtendedKeyUsageType[] | undefined) =>
    issue({ subject: "CN=jane", issuer: root, usages });
  expect(verdict(anchors, [await withUses(undefined)])).toBe("trusted");
  expect(verdict(anchors, [await withUses([serverAuth, clientAuth])])).toBe("trusted");
  expect(verdict(anchors, [await withUses([anyUsage])])).toBe("trusted");
  expect(verdict(anchors, [await withUses([serverAuth])])).toBe(wrong);
  const servers = await issue({
    subject: "CN=servers",
    issuer: root,
    authority: true,
    usages: [serverAuth],
  });
  const below = await issue({ subject: "CN=jane", issuer: servers });
  expect(verdict(anchors, [below, servers])).toBe(wrong);
});

test("leaf, intermediate and anchor must be in their time", async () => {
  const anchors = [root.certificate];
  expect(verdict(anchors, [leaf, intermediate], now + 2 * hourMs)).toContain("is after");
  expect(verdict(anchors, [leaf, intermediate], now - 2 * hourMs)).toContain("is before");
  const over = await issue({
    subject: "CN=over",
    issuer: root,
    authority: true,
    notBefore: new Date(now - 3 * hourMs),
    notAfter: new Date(now - 2 * hourMs),
  });
  const below = await issue({ subject: "CN=jane", issuer: over });
  expect(verdict(anchors, [below, over])).toContain("is after");
  expect(verdict([over.certificate], [below])).toContain("is after");
});

test("SHA-1 signatures are refused, but for those of anchors, which do not matter", async () => {
  const weak = await issue({ subject: "CN=jane", issuer: root, hash: "SHA-1" });
  expect(verdict([root.certificate], [weak])).toBe("x509: cannot verify signature: insecure algorithm");
  const weakRoot = await issue({ subject: "CN=weak", authority: true, hash: "SHA-1" });
  const below = await issue({ subject: "CN=jane", issuer: weakRoot });
  expect(verdict([weakRoot.certificate], [below])).toBe("trusted");
});

test("what is critical must be understood", async () => {
  const mystery = new x509.Extension("1.2.3.4.5", true, new Uint8Array([5, 0]));
  const strange = await issue({ subject: "CN=jane", issuer: root, extensions: [mystery] });
  expect(verdict([root.certificate], [strange])).toBe("x509: unhandled critical extension 1.2.3.4.5");
  const harmless = new x509.Extension("1.2.3.4.5", false, new Uint8Array([5, 0]));
  const fine = await issue({ subject: "CN=jane", issuer: root, extensions: [harmless] });
  expect(verdict([root.certificate], [fine])).toBe("trusted");
});

test.each<[string, JsonWebKey]>([
  ["a large exponent", { kty: "RSA", n: "_".repeat(512), e: "_".repeat(512) }],
  ["a large modulus", { kty: "RSA", n: "_".repeat(2048), e: "AQAB" }],
])(
  "a client's intermediate certificate may not have a key that is expensive to verify: %s",
  async (_what, jwk) => {
    const { privateKey } = root.keys;
    const signature = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    const publicKey = await webcrypto.subtle.importKey("jwk", jwk, signature, true, ["verify"]);
    const dear = await issue({
      subject: "CN=dear",
      issuer: root,
      authority: true,
      keys: { publicKey, privateKey },
    });
    const below = await issue({ subject: "CN=jane", issuer: dear });
    expect(verdict([root.certificate], [below, dear])).toBe(
      "x509: cannot verify signature: algorithm unimplemented",
    );
  },
);

test("verification of loops and of many certificates ends", async () => {
  const keys = leaf.keys;
  const ring = await Promise.all(
    Array.from({ length: 16 }, () => issue({ subject: "CN=ring", authority: true, keys })),
  );
  const start = await issue({ subject: "CN=jane", issuer: ring[0] });
  expect(verdict([root.certificate], [start, ...ring])).toBe(unknownAuthority);
  expect(verdict([root.certificate], [start, ...ring, root])).toBe("x509: too many certificates");
});

test("a verdict is kept for the connection until the authorities change or its time is over", () => {
  const authorities = new ClientAuthorities();
  authorities.replace([root.certificate]);
  const chain = { leaf: leaf.certificate, others: [intermediate.certificate] };
  const first = authorities.verify(chain, now);
  expect(first).toMatchObject({ kind: "trusted" });
  expect(authorities.verify(chain, now + 1000)).toBe(first);
  expect(authorities.verify(chain, now + 2 * hourMs)).toMatchObject({ kind: "untrusted" });
  authorities.replace([]);
  expect(authorities.verify(chain, now)).toEqual({ kind: "untrusted", reason: unknownAuthority });
});

test("a bundle is read whole, or refused by the name of its file", () => {
  const bundle = `# the root\n${root.certPem}\n${intermediate.certPem}`;
  expect(parseCertificates(bundle, "ca.crt").map(({ subject }) => subject)).toEqual([
    "CN=root",
    "CN=intermediate",
  ]);
  expect(() => parseCertificates("nothing", "ca.crt")).toThrow("ca.crt: no certificate in the file");
  const broken = bundle.replace(/MII/, "AAA");
  expect(() => parseCertificates(broken, "ca.crt")).toThrow(/^ca\.crt: /);
  expect(new X509Certificate(root.certPem).subject).toBe("CN=root");
});
