import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { noCredentials, rejected } from "../../access/authentication/authenticator.js";
import { TokenVerdicts } from "../../access/authentication/token-verdicts.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { AuthenticationMetrics } from "./authentication-metrics.js";

async function shown(metrics: Metrics, name: string): Promise<string[]> {
  return (await printMetrics(metrics.read())).split("\n").filter((line) => line.startsWith(name));
}

test("certificates are counted by how long they are still valid", async () => {
  const metrics = new Metrics();
  const { certificateSeen } = new AuthenticationMetrics(metrics, "server");
  certificateSeen(3 * 3600_000);
  certificateSeen(400 * 24 * 3600_000);
  const name = "apiserver_client_certificate_expiration_seconds";
  expect(await shown(metrics, `${name}_bucket{le="7200"}`)).toEqual([`${name}_bucket{le="7200"} 0`]);
  expect(await shown(metrics, `${name}_bucket{le="21600"}`)).toEqual([`${name}_bucket{le="21600"} 1`]);
  expect(await shown(metrics, `${name}_count`)).toEqual([`${name}_count 2`]);
});

test("token caches count hits and misses, and verdicts and failures, separately", async () => {
  const metrics = new Metrics();
  const { tokenCache } = new AuthenticationMetrics(metrics, "server");
  const verdicts = new TokenVerdicts({ now: () => 0, observer: tokenCache });
  const find = (token: string, result: ReturnType<typeof rejected>) =>
    verdicts.find(
      token,
      [],
      async () => result,
      () => 1000,
    );
  await find("a", rejected("no"));
  await find("a", rejected("no"));
  await verdicts.find(
    "b",
    [],
    async () => noCredentials,
    () => 1000,
  );
  expect(await shown(metrics, "authentication_token_cache_request_total{")).toEqual([
    'authentication_token_cache_request_total{status="miss"} 2',
    'authentication_token_cache_request_total{status="hit"} 1',
  ]);
  expect(await shown(metrics, "authentication_token_cache_fetch_total{")).toEqual([
    'authentication_token_cache_fetch_total{status="error"} 1',
    'authentication_token_cache_fetch_total{status="ok"} 1',
  ]);
  expect(await shown(metrics, "authentication_token_cache_active_fetch_count{")).toEqual([
    'authentication_token_cache_active_fetch_count{status="in_flight"} 0',
  ]);
});

test("the keys of an issuer are shown by their hash, and when they were fetched last", async () => {
  const metrics = new Metrics();
  const authentication = new AuthenticationMetrics(metrics, "server");
  const info = "apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info";
  const hash = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const line = (keySet: string) =>
    `${info}{jwt_issuer_hash="i",apiserver_id_hash="${hash("server")}",hash="${hash(keySet)}"} 1`;
  authentication.keysObserver("i")(Buffer.from("one"));
  expect(await shown(metrics, info)).toEqual([line("one")]);
  // Another configuration of the same issuer.
  const observe = authentication.keysObserver("i");
  observe(Buffer.from("two"));
  observe(undefined);
  expect(await shown(metrics, info)).toEqual([line("two")]);
  const times = "apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds";
  const results = (await shown(metrics, times)).map((text) => /result="(\w+)"/.exec(text)?.[1]);
  expect(results.sort()).toEqual(["failure", "success"]);
});

test("several issuers share a metric", async () => {
  const metrics = new Metrics();
  const authentication = new AuthenticationMetrics(metrics, "server");
  for (const issuer of ["a", "b"]) {
    authentication.jwtObserver(issuer)(5, true);
    authentication.keysObserver(issuer)(Buffer.from("keys"));
  }
  const types = await shown(metrics, "# TYPE apiserver_authentication_jwt_authenticator");
  expect(types).toHaveLength(3);
});
