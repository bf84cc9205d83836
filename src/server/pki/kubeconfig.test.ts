import { expect, test } from "vitest";
import { parse } from "yaml";
import { kubeconfigText } from "./kubeconfig.js";

const base = { name: "orch", server: "https://127.0.0.1:6443", caPem: "CA\n" };

test("a kubeconfig embeds certificates and selects its context", () => {
  const text = kubeconfigText({
    ...base,
    credentials: { kind: "certificate", certPem: "C\n", keyPem: "K\n" },
  });
  expect(parse(text)).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "orch", cluster: { server: base.server, "certificate-authority-data": "Q0EK" } }],
    users: [{ name: "orch-admin", user: { "client-certificate-data": "Qwo=", "client-key-data": "Swo=" } }],
    contexts: [{ name: "orch", context: { cluster: "orch", user: "orch-admin" } }],
    "current-context": "orch",
    preferences: {},
  });
});

test("a token takes the place of the certificate", () => {
  const text = kubeconfigText({ ...base, credentials: { kind: "token", token: "a: 'b\"" } });
  expect(parse(text).users[0].user).toEqual({ token: "a: 'b\"" });
});
