import { expect, test } from "vitest";
import type { Pod } from "../../apis/gen/core-v1.js";
import { setOptions } from "./admit-connect.js";
import { chooseContainer } from "./container-choice.js";
import { genericServerError } from "./generic-server-error.js";
import { isProxyable } from "./proxy-targets.js";
import { parseSchemeNamePort } from "./scheme-name-port.js";

function pod(containers: readonly string[], more: Partial<Pod["spec"]> = {}): Pod {
  const spec = { containers: containers.map((name) => ({ name })), ...more };
  return { metadata: { name: "p" }, spec, status: {} } as Pod; // names are all that is looked at
}

test.each([
  ["web", { scheme: "", name: "web", port: "" }],
  ["web:80", { scheme: "", name: "web", port: "80" }],
  ["web:", { scheme: "", name: "web", port: "" }],
  ["https:web:", { scheme: "https", name: "web", port: "" }],
  ["http:web:named", { scheme: "http", name: "web", port: "named" }],
  [":web:80", { scheme: "", name: "web", port: "80" }],
  ["", undefined],
  [":80", undefined],
  ["ftp:web:80", undefined],
  ["http:web:80:x", undefined],
])("%j is read as %j", (id, parts) => expect(parseSchemeNamePort(id)).toEqual(parts));

test("the only container is meant when none is named; any kind of container may be named", () => {
  const init = { initContainers: [{ name: "first" }] } as Partial<Pod["spec"]>;
  const ephemeral = { ephemeralContainers: [{ name: "guest" }] } as Partial<Pod["spec"]>;
  expect(chooseContainer(pod(["a"], init), "")).toBe("a");
  expect(chooseContainer(pod(["a", "b"]), "b")).toBe("b");
  expect(chooseContainer(pod(["a"], init), "first")).toBe("first");
  expect(chooseContainer(pod(["a"], ephemeral), "guest")).toBe("guest");
  expect(() => chooseContainer(pod(["a"]), "c")).toThrow("container c is not valid for pod p");
  expect(() => chooseContainer(pod([]), "")).toThrow("a container name must be specified for pod p");
  expect(() => chooseContainer(pod(["a", "b"], { ...init, ...ephemeral }), "")).toThrow(
    "a container name must be specified for pod p, choose one of: [first a b guest]",
  );
});

test.each([
  ["10.0.0.1", true],
  ["192.0.2.1", true],
  ["2001:db8::1", true],
  ["fd00::1", true],
  ["127.0.0.1", false],
  ["127.9.9.9", false],
  ["169.254.169.254", false],
  ["224.0.0.1", false],
  ["0.0.0.0", false],
  ["255.255.255.255", false],
  ["::1", false],
  ["::", false],
  ["fe80::1", false],
  ["ff02::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:10.0.0.1", true],
  ["host.example", false],
  ["", false],
])("pods at %j may be gone to: %s", (address, may) => expect(isProxyable(address)).toBe(may));

test.each([
  [404, "NotFound", "the server could not find the requested resource ( pods/log p)"],
  [403, "Forbidden", "text ( pods/log p)"],
  [
    502,
    "InternalError",
    'an error on the server ("text") has prevented the request from succeeding ( pods/log p)',
  ],
  [
    418,
    undefined,
    "the server responded with the status code 418 but did not return more information ( pods/log p)",
  ],
])("an agent's %d is told as %s", (code, reason, message) => {
  const { status } = genericServerError(code, { group: "", resource: "pods/log" }, "p", "text");
  expect(status).toMatchObject({ code, message });
  expect(status.reason).toBe(reason);
});

test("webhooks are told the options that are set, and always the command", () => {
  expect(setOptions({ stdin: false, tty: true, container: "", ports: [], command: [] })).toEqual({
    tty: true,
    command: [],
  });
});
