import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { CompactSign, exportJWK, type JWK } from "jose";
import { beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { RemoteKeys } from "./remote-keys.js";

const pair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const first = pair();
const second = pair();
let now: number;
let keys: JWK[];
let reads: number;
let problem: Error | undefined;

beforeEach(async () => {
  now = 0;
  reads = 0;
  problem = undefined;
  keys = [await jwk(first.publicKey, "one")];
});

const jwk = async (key: KeyObject, kid: string): Promise<JWK> => ({
  ...(await exportJWK(key)),
  kid,
  use: "sig",
});

function remoteKeys(): RemoteKeys {
  return new RemoteKeys({
    read: async () => {
      reads++;
      if (problem !== undefined) throw problem;
      return { keys } as unknown as JsonObject; // key sets are JSON
    },
    now: () => now,
  });
}

const sign = (key: KeyObject, kid: string | undefined, alg = "ES256") =>
  new CompactSign(Buffer.from("{}")).setProtectedHeader({ alg, ...(kid !== undefined && { kid }) }).sign(key);

test("a token of a known key is verified without asking again", async () => {
  const own = remoteKeys();
  const token = await sign(first.privateKey, "one");
  await own.verify(token, ["ES256"]);
  await own.verify(token, ["ES256"]);
  expect(reads).toBe(1);
});

test("an unknown key makes the set be read again, at most once a second", async () => {
  const own = remoteKeys();
  await own.verify(await sign(first.privateKey, "one"), ["ES256"]);
  const token = await sign(second.privateKey, "two");
  const failure = "failed to verify id token signature";
  await expect(own.verify(token, ["ES256"])).rejects.toThrow(failure);
  expect(reads).toBe(1);
  keys = [await jwk(second.publicKey, "two")];
  now = 1000;
  await Promise.all([own.verify(token, ["ES256"]), own.verify(token, ["ES256"])]);
  expect(reads).toBe(2);
  now = 2000;
  await expect(own.verify(await sign(first.privateKey, "one"), ["ES256"])).rejects.toThrow(failure);
});

test("a revoked key is no longer accepted, unless the provider is unavailable", async () => {
  const own = remoteKeys();
  const token = await sign(first.privateKey, "one");
  await own.verify(token, ["ES256"]);
  now = 11 * 60_000;
  problem = new Error("no route to host");
  await own.verify(token, ["ES256"]);
  expect(reads).toBe(2);
  problem = undefined;
  keys = [await jwk(second.publicKey, "two")];
  now = 12 * 60_000;
  await expect(own.verify(token, ["ES256"])).rejects.toThrow("failed to verify id token signature");
});

test("without keys the reason is told", async () => {
  problem = new Error("no route to host");
  await expect(remoteKeys().verify(await sign(first.privateKey, "one"), ["ES256"])).rejects.toThrow(
    "failed to verify signature: failed to verify id token signature: fetching keys: no route to host",
  );
});

test("a token signed by another algorithm is refused with its name", async () => {
  const token = await sign(first.privateKey, "one");
  await expect(remoteKeys().verify(token, ["RS256", "ES384"])).rejects.toThrow(
    'oidc: id token signed with unsupported algorithm, expected ["RS256" "ES384"] got "ES256"',
  );
});

test("a set of more keys than any provider has is refused", async () => {
  keys = Array.from({ length: 1001 }, () => keys[0] ?? {});
  await expect(remoteKeys().verify(await sign(first.privateKey, "one"), ["ES256"])).rejects.toThrow(
    "fetching keys: the key set has more than 1000 keys",
  );
});

test("a token that names no key is tried with each that fits", async () => {
  keys = [await jwk(first.publicKey, "one"), await jwk(second.publicKey, "two")];
  const own = remoteKeys();
  await own.verify(await sign(second.privateKey, undefined), ["ES256"]);
  now = 2000;
  await expect(own.verify(await sign(pair().privateKey, undefined), ["ES256"])).rejects.toThrow("signature");
});

test("algorithms that were not allowed are refused, none and shared secrets above all", async () => {
  const own = remoteKeys();
  await expect(own.verify(await sign(first.privateKey, "one"), ["RS256"])).rejects.toThrow("alg");
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const header of [{ alg: "none" }, { alg: "none", kid: "one" }, { alg: "NONE" }]) {
    await expect(own.verify(`${encode(header)}.${encode({})}.`, ["ES256"])).rejects.toThrow();
  }
  // Key confusion: the public key used as a shared secret.
  const { createHmac } = await import("node:crypto");
  const input = `${encode({ alg: "HS256", kid: "one" })}.${encode({})}`;
  const secret = first.publicKey.export({ type: "spki", format: "pem" });
  const forged = `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
  await expect(own.verify(forged, ["ES256"])).rejects.toThrow("alg");
  // The same, with a set that contains a shared secret.
  keys = [{ kty: "oct", k: Buffer.from(secret).toString("base64url"), kid: "one", alg: "HS256" }];
  now = 2000;
  await expect(own.verify(forged, ["ES256"])).rejects.toThrow();
});

test("an embedded or linked key is not looked at", async () => {
  const own = remoteKeys();
  const stranger = pair();
  const token = await new CompactSign(Buffer.from("{}"))
    .setProtectedHeader({
      alg: "ES256",
      kid: "../../one",
      jwk: await exportJWK(stranger.publicKey),
      jku: "https://evil.example/keys",
    })
    .sign(stranger.privateKey);
  await expect(own.verify(token, ["ES256"])).rejects.toThrow("failed to verify id token signature");
});
