import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, apiLevels, minorOf } from "../../apimachinery/levels/api-level.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { detailsText, violationsOf } from "./evaluate.js";
import type { PolicyVersion } from "./level.js";

const context = testApiContext({ level: "1.36" });
const hardened = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

function broken(
  level: "baseline" | "restricted",
  version: PolicyVersion,
  spec: JsonObject,
  apiLevel: ApiLevel = "1.36",
  annotations: Readonly<Record<string, string>> = {},
  trustsOwnUsers = false,
): string {
  const pod = context.schemas.codec<Pod>("core/v1.Pod").fromJson({
    metadata: { name: "p" },
    spec: { containers: [{ name: "app", image: "a" }], ...spec },
  });
  const checked = { annotations, spec: pod.spec, naming: context.naming, apiLevel, trustsOwnUsers };
  return detailsText(violationsOf(checked, { level, version }));
}

function container(fields: JsonObject): JsonObject {
  return { containers: [{ name: "app", image: "a", ...fields }] };
}

const sysctl = (name: string): JsonObject => ({ securityContext: { sysctls: [{ name, value: "1" }] } });
const seLinux = { securityContext: { seLinuxOptions: { type: "container_engine_t" } } };
const unmasked = container({ securityContext: { procMount: "Unmasked" } });
const root = container({ securityContext: { ...hardened, runAsNonRoot: false, runAsUser: 0 } });
const host = container({ livenessProbe: { httpGet: { port: 80, host: "10.0.0.1" } } });
const ownUsers = { hostUsers: false };

test.each<[since: number, level: "baseline" | "restricted", spec: JsonObject, before: string, after: string]>(
  [
    [
      27,
      "baseline",
      sysctl("net.ipv4.ip_local_reserved_ports"),
      "forbidden sysctls (net.ipv4.ip_local_reserved_ports)",
      "",
    ],
    [29, "baseline", sysctl("net.ipv4.tcp_fin_timeout"), "forbidden sysctls (net.ipv4.tcp_fin_timeout)", ""],
    [32, "baseline", sysctl("net.ipv4.tcp_rmem"), "forbidden sysctls (net.ipv4.tcp_rmem)", ""],
    [
      31,
      "baseline",
      seLinux,
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
      "",
    ],
    [
      34,
      "baseline",
      host,
      "",
      'probe or lifecycle host (container "app" uses probe or lifecycle host "10.0.0.1")',
    ],
    [
      35,
      "baseline",
      { ...unmasked, ...ownUsers },
      'procMount (container "app" must not set securityContext.procMount to "Unmasked")',
      "",
    ],
    [
      35,
      "restricted",
      { ...root, ...ownUsers },
      'runAsNonRoot != true (container "app" must not set securityContext.runAsNonRoot=false), runAsUser=0 (container "app" must not set runAsUser=0)',
      "",
    ],
  ],
)("what version 1.%d of %s changes: %j", (since, level, spec, before, after) => {
  expect(broken(level, since - 1, spec)).toBe(before);
  expect(broken(level, since, spec)).toBe(after);
  // A server knows the versions up to its own.
  const older = apiLevels.find((each) => minorOf(each) === since - 1);
  expect(broken(level, since, spec, older)).toBe(before);
  expect(broken(level, "latest", spec, older)).toBe(before);
  expect(broken(level, "latest", spec)).toBe(after);
});

test.each<ApiLevel>(["1.29", "1.34"])(
  "a server of %s may be told to trust users of the pod's own",
  (apiLevel) => {
    const found = (level: "baseline" | "restricted", spec: JsonObject, trusts: boolean) =>
      broken(level, "latest", { ...spec, ...ownUsers }, apiLevel, {}, trusts);
    expect([found("baseline", unmasked, true), found("restricted", root, true)]).toEqual(["", ""]);
    expect(found("baseline", unmasked, false)).toContain("procMount");
    expect(found("restricted", root, false)).toContain("runAsUser=0");
    expect(broken("restricted", "latest", root, apiLevel, {}, true)).toContain("runAsUser=0");
  },
);

test("users of the host are refused in every version", () => {
  expect(broken("baseline", "latest", unmasked)).toContain("procMount");
  expect(broken("restricted", "latest", root)).toContain("runAsUser=0");
});

test.each([34, 35, "latest"] as const)(
  "the restricted profile of %s wants the default proc mount of all pods",
  (version) => {
    const spec = { ...ownUsers, ...container({ securityContext: { ...hardened, procMount: "Unmasked" } }) };
    expect(broken("restricted", version, spec)).toBe(
      'procMount (container "app" must not set securityContext.procMount to "Unmasked")',
    );
  },
);

test("what Windows lacks is not asked of its pods from 1.25 on", () => {
  const spec = { os: { name: "windows" }, ...container({ securityContext: { runAsNonRoot: true } }) };
  expect(broken("restricted", 25, spec)).toBe("");
  expect(broken("restricted", 24, spec)).toContain("unrestricted capabilities");
  expect(broken("restricted", 25, container({ securityContext: { runAsNonRoot: true } }))).toContain(
    "seccompProfile",
  );
});

test("AppArmor profiles are read from fields", () => {
  const unconfined = { appArmorProfile: { type: "Unconfined" } };
  const spec = { securityContext: unconfined, ...container({ securityContext: unconfined }) };
  expect(broken("baseline", "latest", spec)).toBe(
    'forbidden AppArmor profile (pod and container "app" must not set AppArmor profile type to "Unconfined")',
  );
  expect(
    broken("baseline", "latest", { securityContext: { appArmorProfile: { type: "RuntimeDefault" } } }),
  ).toBe("");
});

test.each<[ApiLevel, string]>([
  ["1.29", `forbidden AppArmor profile (container.apparmor.security.beta.kubernetes.io/app="unconfined")`],
  [
    "1.30",
    `forbidden AppArmor profiles (pod and annotation must not set AppArmor profile type to "Unconfined", "container.apparmor.security.beta.kubernetes.io/app="unconfined"")`,
  ],
])("AppArmor profiles are read from annotations, too, at level %s", (level, text) => {
  const annotations = { "container.apparmor.security.beta.kubernetes.io/app": "unconfined" };
  const spec = level === "1.30" ? { securityContext: { appArmorProfile: { type: "Unconfined" } } } : {};
  expect(broken("baseline", "latest", spec, level, annotations)).toBe(text);
});

test.each<[ApiLevel, string]>([
  ["1.32", 'restricted volume types (volume "v" uses restricted volume type "unknown")'],
  ["1.33", ""],
])("image volumes at level %s", (level, text) => {
  const spec = {
    ...container({ securityContext: hardened }),
    volumes: [{ name: "v", image: { reference: "a" } }],
  };
  expect(broken("restricted", "latest", spec, level)).toBe(text);
  expect(broken("restricted", 20, spec, level)).toBe(text);
});
