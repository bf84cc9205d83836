import { expect, test } from "vitest";
import { anonymousAccess } from "./anonymous-access.js";

test.each<
  [anonymousAuth: boolean, modes: ("AlwaysAllow" | "AlwaysDeny")[], open: string[], closed: string[]]
>([
  [
    true,
    ["AlwaysAllow"],
    ["/healthz", "/livez/ping", "/readyz/"],
    ["/", "/api", "/version", "/healthzz", "/metrics", "/api/v1/healthz", "/apis/livez"],
  ],
  [true, ["AlwaysDeny", "AlwaysAllow"], ["/livez"], ["/api"]],
  [true, ["AlwaysDeny"], ["/livez", "/api"], []],
  [false, ["AlwaysAllow"], [], ["/livez", "/api"]],
])("anonymous-auth %j with %j", (anonymousAuth, authorizationMode, open, closed) => {
  const access = anonymousAccess({ anonymousAuth, authorizationMode });
  expect([...open, ...closed].filter((path) => access.allows(path))).toEqual(open);
  const isReset = anonymousAuth && authorizationMode.includes("AlwaysAllow");
  expect(access.warning !== undefined).toBe(isReset);
});
