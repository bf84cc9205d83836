import { expect, test } from "vitest";
import { pluginTable } from "../plugin-table.js";
import { readAdmissionConfiguration } from "./admission-configuration.js";

const head = "apiVersion: apiserver.config.example.io/v1\nkind: AdmissionConfiguration\n";

function read(files: Record<string, string>) {
  return readAdmissionConfiguration("/etc/admission/config.yaml", {
    group: "apiserver.config.example.io",
    alphaGroup: "apiserver.example.io",
    plugins: pluginTable,
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(`no such file: ${path}`);
      return Buffer.from(text);
    },
  });
}

const config = "/etc/admission/config.yaml";

test.each([["apiserver.config.example.io/v1"], ["apiserver.example.io/v1alpha1"]])(
  "%s: configurations are inline, or in files relative to it",
  async (apiVersion) => {
    const found = await read({
      [config]: [
        `apiVersion: ${apiVersion}`,
        "kind: AdmissionConfiguration",
        "plugins:",
        "- name: PodSecurity",
        "  configuration: {kind: A}",
        "  path: ignored.yaml",
        "- {name: PodNodeSelector, path: selector.yaml}",
        "- {name: EventRateLimit, path: /elsewhere/rates.json}",
        "- {name: ResourceQuota}",
      ].join("\n"),
      "/etc/admission/selector.yaml": "kind: B",
      "/elsewhere/rates.json": '{"kind":"C"}',
    });
    expect([...found]).toEqual([
      ["PodSecurity", { kind: "A" }],
      ["PodNodeSelector", { kind: "B" }],
      ["EventRateLimit", { kind: "C" }],
    ]);
  },
);

test("JSON is read as well, and no plugins are fine", async () => {
  const text = JSON.stringify({
    apiVersion: "apiserver.config.example.io/v1",
    kind: "AdmissionConfiguration",
  });
  expect((await read({ [config]: text })).size).toBe(0);
});

test("YAML is read as in every other configuration: as YAML 1.1, a mistake in one line", async () => {
  const given = `${head}plugins: [{name: EventRateLimit, configuration: {a: yes, b: 2020-01-01}}]`;
  expect([...(await read({ [config]: given }))]).toEqual([["EventRateLimit", { a: true, b: "2020-01-01" }]]);
  await expect(read({ [config]: "a: [b" })).rejects.toThrow(
    /^\/etc\/admission\/config\.yaml: line 1: [^\n]+$/,
  );
});

test("a file without a kind is that of the plugins that were configured so before", async () => {
  const found = await read({ [config]: "podNodeSelectorPluginConfig: {a: b=c}" });
  expect([...found.keys()]).toEqual(["ImagePolicyWebhook", "PodNodeSelector"]);
});

test.each([
  ["a: [", /config\.yaml: /],
  ["- a", /not an AdmissionConfiguration/],
  ["apiVersion: v1\nkind: AdmissionConfiguration", /got version "v1", kind "AdmissionConfiguration"/],
  [`${head}plugins: 1`, /plugins: must be a list/],
  [`${head}plugins: [{path: a}]`, /plugins\[0\]\.name: must name a plugin/],
  [`${head}plugins: [{name: PodSafety}]`, /plugins\[0\]\.name: plugin "PodSafety" is unknown/],
  [`${head}plugins: [{name: LimitRanger}]`, /plugins\[0\]: plugin LimitRanger takes no configuration/],
  [`${head}plugins: [{name: PodSecurity}, {name: PodSecurity}]`, /plugins\[1\]: plugin "PodSecurity" is/],
  [`${head}plugins: [{name: PodSecurity, path: nothing}]`, /no such file: \/etc\/admission\/nothing/],
  [`${head}plugins: [{name: PodSecurity, path: 1}]`, /plugins\[0\]\.path: must be a string/],
])("%j is refused", async (text, message) => {
  await expect(read({ [config]: text })).rejects.toThrow(message);
});
