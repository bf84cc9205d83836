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
  const access = anonymousAccess({ anonymousAuth, authorizationMode, bindAddress: "0.0.0.0" });
  expect([...open, ...closed].filter((path) => access.allows(path))).toEqual(open);
  const isReset = anonymousAuth && authorizationMode.includes("AlwaysAllow");
  expect(access.notice?.isWarning === true).toBe(isReset);
});

test.each([
  ["127.0.0.1", false],
  ["::1", false],
  ["0.0.0.0", true],
  ["::", true],
  ["", true],
  ["10.0.0.1", true],
])("at %j the operator is warned: %j", (bindAddress, isWarning) => {
  const access = anonymousAccess({ anonymousAuth: true, authorizationMode: ["AlwaysAllow"], bindAddress });
  expect(access.notice).toMatchObject({ isWarning });
});
