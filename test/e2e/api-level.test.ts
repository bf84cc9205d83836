import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAtLeast } from "../../src/apimachinery/levels/api-level.js";
import type { ApiLevel, RunningApiServer } from "../../src/index.js";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { runClient } from "../support/run-client.js";

/** The built package, as a program imports it; its types are those of the source. */
const built = join(process.cwd(), "bin/library.mjs");
const { startApiServer }: typeof import("../../src/index.js") = await import(built);

const { helm, kubectlCurrent } = clientBinaries();

interface Running {
  readonly server: RunningApiServer;
  readonly api: ApiClient;
  readonly kubeconfig: string;
}

const levels = ["1.23", "1.28", "1.32", "1.36"] as const satisfies readonly ApiLevel[];
const running = new Map<ApiLevel, Running>();
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "api-level-"));
  for (const level of levels) {
    const server = await startApiServer({ level });
    const kubeconfig = join(home, `kubeconfig-${level}`);
    writeFileSync(kubeconfig, server.kubeconfig);
    running.set(level, { server, kubeconfig, api: new ApiClient({ url: server.url, kubeconfig }) });
  }
});

afterAll(async () => {
  for (const { api, server } of running.values()) {
    await api.close();
    await server.stop();
  }
  rmSync(home, { recursive: true, force: true });
});

function at(level: ApiLevel): Running {
  const found = running.get(level);
  if (found === undefined) throw new Error(`no server of ${level}`);
  return found;
}

describe.each(levels)("a server of %s beside those of other levels", (level) => {
  const patch = level === "1.23" ? 17 : 0;

  test("says its version to clients", async () => {
    const { body } = await at(level).api.get("/version");
    expect(body).toMatchObject({
      major: "1",
      minor: level.slice(2),
      gitVersion: expect.stringMatching(new RegExp(`^v${level}\\.${patch}\\+orch\\.`)),
    });
    const { body: openApi } = await at(level).api.get("/openapi/v2");
    const documented = isAtLeast(level, "1.31") ? level : `v${level}.${patch}`;
    expect(openApi).toHaveProperty(["info", "version"], documented);
    const { stdout } = await runClient(kubectlCurrent, ["version", "-o", "json"], {
      kubeconfig: at(level).kubeconfig,
      home,
    });
    expect(JSON.parse(stdout).serverVersion).toEqual(body);
  });

  test("has the capabilities of its level for Helm", async () => {
    const chart = join(home, "chart");
    const create = await runClient(helm, ["create", chart], { kubeconfig: at(level).kubeconfig, home });
    expect(create.stderr).toBe("");
    const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: capabilities}
data:
  version: {{ .Capabilities.KubeVersion.Version }}
  budgets: {{ .Capabilities.APIVersions.Has "policy/v1beta1" | quote }}
`;
    rmSync(join(chart, "templates"), { recursive: true });
    writeFileSync(join(chart, "values.yaml"), "{}\n");
    mkdirSync(join(chart, "templates"));
    writeFileSync(join(chart, "templates/x.yaml"), template);
    const rendered = await runClient(helm, ["install", "x", chart, "--dry-run=server"], {
      kubeconfig: at(level).kubeconfig,
      home,
    });
    rmSync(chart, { recursive: true });
    expect(rendered.stderr).toBe("");
    expect(rendered.stdout).toContain(`version: v${level}.${patch}+orch.`);
    expect(rendered.stdout).toContain(`budgets: "${level === "1.23"}"`);
  });
});

test("groups have the versions of the level", async () => {
  const versionsOf = async (level: ApiLevel, group: string) => {
    const { body } = await at(level).api.get(`/apis/${group}`);
    return (body as { versions?: { version: string }[] }).versions?.map(({ version }) => version);
  };
  expect(await versionsOf("1.23", "autoscaling")).toEqual(["v2", "v1", "v2beta1", "v2beta2"]);
  expect(await versionsOf("1.28", "autoscaling")).toEqual(["v2", "v1"]);
  expect(await versionsOf("1.23", "policy")).toEqual(["v1", "v1beta1"]);
  expect(await versionsOf("1.32", "policy")).toEqual(["v1"]);
  expect(await versionsOf("1.28", "flowcontrol.apiserver.k8s.io")).toContain("v1beta2");
  expect(await versionsOf("1.36", "flowcontrol.apiserver.k8s.io")).toEqual(["v1"]);
});

test("what a level does not have is refused by name", async () => {
  await expect(
    startApiServer({ level: "1.28", options: { featureGates: new Map([["PodLevelResources", true]]) } }),
  ).rejects.toThrow(/^options\.featureGates: unrecognized feature gate: PodLevelResources \(known: /);
  await expect(
    startApiServer({ level: "1.36", options: { featureGates: new Map([["SidecarContainers", false]]) } }),
  ).rejects.toThrow(
    "options.featureGates: cannot set feature gate SidecarContainers to false, feature is locked to true",
  );
  await expect(startApiServer({ level: "1.28", options: { insecurePort: 0 } })).rejects.toThrow(
    "options.insecurePort: unknown option at API level 1.28: it was removed in 1.24",
  );
  await expect(
    startApiServer({ level: "1.32", options: { enableAdmissionPlugins: ["PodSecurityPolicy"] } }),
  ).rejects.toThrow(
    'options.enableAdmissionPlugins: plugin "PodSecurityPolicy" does not exist at API level 1.32: it was removed in 1.25',
  );
});
