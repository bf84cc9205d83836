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
  const { certificateSeen } = new AuthenticationMetrics(metrics);
  certificateSeen(3 * 3600_000);
  certificateSeen(400 * 24 * 3600_000);
  const name = "apiserver_client_certificate_expiration_seconds";
  expect(await shown(metrics, `${name}_bucket{le="7200"}`)).toEqual([`${name}_bucket{le="7200"} 0`]);
  expect(await shown(metrics, `${name}_bucket{le="21600"}`)).toEqual([`${name}_bucket{le="21600"} 1`]);
  expect(await shown(metrics, `${name}_count`)).toEqual([`${name}_count 2`]);
});

test("token caches tell hits from misses, and verdicts from failures", async () => {
  const metrics = new Metrics();
  const { tokenCache } = new AuthenticationMetrics(metrics);
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
