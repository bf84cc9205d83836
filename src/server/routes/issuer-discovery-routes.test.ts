import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { fixedTokenKeys } from "../../access/authentication/token-keys.js";
import { type ApiLevel, oldestLevel } from "../../apimachinery/levels/api-level.js";
import { openContext } from "../../serving/request/open-context.js";
import { RecordedExchange } from "../../serving/responses/testing/recorded-exchange.js";
import { issuerDiscoveryRoutes } from "./issuer-discovery-routes.js";

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const configuration = "/.well-known/openid-configuration";
const keySet = "/openid/v1/jwks";
const keySetType = "application/jwk-set+json";

async function ask(target: string, accept: string | undefined, level: ApiLevel = oldestLevel) {
  const routes = issuerDiscoveryRoutes({
    issuer: "https://issuer.example.org",
    keys: fixedTokenKeys([{ keyId: "first", algorithm: "ES256", publicKey }], level),
    jwksUri: undefined,
    serverAddress: () => "192.0.2.1:6443",
    level,
  });
  const exchange = new RecordedExchange({ target, ...(accept !== undefined && { headers: { accept } }) });
  await routes.find(({ path }) => path === target)?.handle(openContext(exchange, new Date()));
  return (await exchange.finished()).statusCode;
}

test.each([
  [configuration, undefined],
  [configuration, "application/json"],
  [keySet, undefined],
  [keySet, "*/*"],
  [keySet, keySetType],
  [keySet, `application/json, ${keySetType};q=0.5`],
])("%s is sent to a client that accepts %j", async (path, accept) => {
  expect(await ask(path, accept)).toBe(200);
});

test.each<[string, string, ApiLevel, string]>([
  [keySet, "application/json", "1.24", ""],
  [keySet, "application/json", "1.25", `\n\nAvailable representations: ${keySetType}`],
  [keySet, "application/*", "1.36", `\n\nAvailable representations: ${keySetType}`],
  [configuration, keySetType, "1.25", "\n\nAvailable representations: application/json"],
])("%s has no form for a client that accepts only %s at %s", async (path, accept, level, list) => {
  await expect(ask(path, accept, level)).rejects.toThrow(`406: Not Acceptable${list}`);
});
