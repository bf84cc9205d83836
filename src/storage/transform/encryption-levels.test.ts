import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { ManualClock } from "../../time/manual-clock.js";
import { noObserver } from "../testing/transformation-observer.js";
import { type Encryption, openEncryption } from "./encryption.js";

const group = "apiserver.config.example.io";
const key = { name: "one", secret: Buffer.alloc(32, 2).toString("base64") };
const storageKey = "/registry/secrets/a/x";
const plain = Buffer.from("the plain text of a secret");

interface Given {
  readonly level: ApiLevel;
  readonly isReloaded?: boolean;
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly notices?: string[];
}

function openText(
  text: string,
  { level, isReloaded = false, gates = {}, notices }: Given,
): Promise<Encryption> {
  return openEncryption(Buffer.from(text), {
    file: "/config",
    group,
    level,
    isReloaded,
    isEnabled: (gate) => gates[gate] ?? false,
    encryptedPrefix: "vendor:enc:",
    clock: new ManualClock(),
    observer: noObserver,
    notice: (text) => notices?.push(text),
  });
}

function open(resources: unknown, given: Given): Promise<Encryption> {
  return openText(
    JSON.stringify({ apiVersion: `${group}/v1`, kind: "EncryptionConfiguration", resources }),
    given,
  );
}

const rule = (resources: string[], name = "one") => ({
  resources,
  providers: [{ aescbc: { keys: [{ ...key, name }] } }, { identity: {} }],
});

describe("rules for all resources of a group, and for all", () => {
  const keyOf = async (encryption: Encryption, group: string, resource: string) => {
    const stored = await encryption.transformerFor(group, resource)?.toStorage(plain, storageKey);
    return stored && /v1:([a-z]+):/.exec(Buffer.from(stored).toString("latin1"))?.[1];
  };

  test.each(["1.27", "1.36"] as const)("the most specific one counts at %s", async (level) => {
    const encryption = await open(
      [
        rule(["secrets"], "secrets"),
        rule(["*."], "core"),
        rule(["*.apps", "boats.example.org"], "named"),
        rule(["*.*"], "all"),
      ],
      { level },
    );
    expect(await keyOf(encryption, "", "secrets")).toBe("secrets");
    expect(await keyOf(encryption, "", "configmaps")).toBe("core");
    expect(await keyOf(encryption, "apps", "deployments")).toBe("named");
    expect(await keyOf(encryption, "example.org", "boats")).toBe("named");
    expect(await keyOf(encryption, "example.org", "cars")).toBe("all");
  });

  test("1.26 knows no wildcards", async () => {
    const encryption = await open([rule(["*."]), rule(["configmaps"], "named")], { level: "1.26" });
    expect(encryption.transformerFor("", "secrets")).toBeUndefined();
    expect(await keyOf(encryption, "", "configmaps")).toBe("named");
  });

  test.each([
    ["*.", "configmaps", 'resource "configmaps" is masked by earlier rule "*."'],
    ["*.*", "*.batch", 'resource "*.batch" is masked by earlier rule "*.*"'],
  ])("a rule for %s does not let one for %s follow", async (first, second, problem) => {
    await expect(open([rule([first]), rule([second])], { level: "1.27" })).rejects.toThrow(
      `error while building transformers: ${problem}`,
    );
  });

  const at = "resources[0].resources";
  test.each([
    [
      ["*"],
      `${at}[0]: Invalid value: "*": use '*.' to encrypt all the resources from core API group or *.* to`,
    ],
    [["Secrets"], `${at}[0]: Invalid value: "Secrets": resource name should not contain capital letters`],
    [["apiserveripinfo"], "resources which do not have REST API/s cannot be encrypted"],
    [["events.events.example.io"], "'*.events.example.io' objects are stored using the 'events' API group"],
    [["ingresses.extensions"], "'extensions' group has been removed and cannot be used for encryption"],
    [["secrets.*"], "encrypting the same resource across groups is not supported"],
    [["secrets", "secrets"], "the same resource cannot be specified multiple times"],
    [["secrets", "*."], "using overlapping resources such as 'secrets' and '*.' in the same resource list"],
    [["*.apps", "*.*"], "using overlapping resources"],
  ])("%j is refused from 1.27 on: %s", async (resources, problem) => {
    await expect(open([rule(resources)], { level: "1.27" })).rejects.toThrow(problem);
    await expect(open([rule(resources)], { level: "1.36" })).rejects.toThrow(problem);
    await open([rule(resources)], { level: "1.26" });
  });
});

describe("what a strict decoder finds is refused from 1.31 on", () => {
  const text = (more: string) => `
apiVersion: ${group}/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - aescbc:
      keys:
      - name: one
        secret: ${key.secret}
${more}`;
  test.each([
    ["        kept: true\n", 'unknown field "resources[0].providers[0].aescbc.keys[0].kept"'],
    ["more: 1\n", 'unknown field "more"'],
    ["        name: two\n", 'yaml: unmarshal errors:\n  line 11: key "name" already set in map'],
  ])("%j", async (more, problem) => {
    await openText(text(more), { level: "1.30" });
    for (const level of ["1.31", "1.36"] as const) {
      await expect(openText(text(more), { level })).rejects.toThrow(
        `error while parsing file: error decoding encryption provider configuration file "/config": strict decoding error: ${problem}`,
      );
    }
  });
});

describe("key services", () => {
  const kms = (more: object = {}) => ({
    kms: { name: "k", endpoint: "unix:///nowhere", timeout: "1ms", ...more },
  });
  const of = (...providers: object[]) => [{ resources: ["secrets"], providers }];
  const at = "resources[0].providers[0].kms";

  test("1.24 knows no versions of them", async () => {
    const { healthChecks } = await open(of(kms({ apiVersion: "v3" })), { level: "1.24" });
    expect(healthChecks.map(({ name }) => name)).toEqual(["kms-provider-0"]);
  });

  test.each<[ApiLevel, object, string]>([
    [
      "1.25",
      { apiVersion: "v3" },
      `${at}.apiVersion: Invalid value: "v3": unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported`,
    ],
    [
      "1.25",
      { apiVersion: "v2", name: "a:b" },
      `${at}.name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain ':'`,
    ],
    [
      "1.27",
      { apiVersion: "v2", cachesize: 5 },
      `${at}.cachesize: Invalid value: 5: cachesize is not supported in v2`,
    ],
    [
      "1.36",
      { apiVersion: "v2", cachesize: 5 },
      `${at}.cachesize: Invalid value: 5: cachesize is not supported in v2`,
    ],
    [
      "1.25",
      { apiVersion: "v2", cachesize: 0 },
      `${at}.cachesize: Invalid value: 0: cachesize should be a positive value, or negative to disable`,
    ],
  ])("at %s, %j is refused", async (level, more, problem) => {
    await expect(open(of(kms(more)), { level, gates: { KMSv2: true } })).rejects.toThrow(problem);
  });

  test("their names are unique from 1.26 on, where they have version 2 or are reloaded", async () => {
    const twice = (more: object) => of(kms(more), kms(more));
    const problem =
      'resources[0].providers[1].kms.name: Invalid value: "k": duplicate KMS provider name k, names must be unique';
    const gates = { KMSv2: true };
    await open(twice({ apiVersion: "v2" }), { level: "1.25", gates });
    await open(twice({}), { level: "1.26" });
    await expect(open(twice({ apiVersion: "v2" }), { level: "1.26", gates })).rejects.toThrow(problem);
    await expect(open(twice({}), { level: "1.26", isReloaded: true })).rejects.toThrow(problem);
  });

  test("version 2 follows its gate", async () => {
    const v2 = of(kms({ apiVersion: "v2" }));
    await expect(open(v2, { level: "1.25" })).rejects.toThrow(
      'could not configure KMSv2-Plugin\'s probe "k", KMSv2 feature is not enabled',
    );
    await expect(open(v2, { level: "1.28" })).rejects.toThrow(
      'error while building transformers: could not configure KMSv2 plugin "k", KMSv2 feature is not enabled',
    );
  });

  test("version 1 is told to be deprecated at 1.28, and needs its gate from 1.28 on", async () => {
    const deprecated =
      "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.";
    await open(of(kms()), { level: "1.27" });
    const notices: string[] = [];
    const { healthChecks } = await open(of(kms()), { level: "1.28", gates: { KMSv1: true }, notices });
    expect(notices).toEqual([deprecated]);
    expect(healthChecks.map(({ name }) => name)).toEqual(["kms-provider-0"]);
    for (const level of ["1.29", "1.36"] as const) {
      await expect(open(of(kms()), { level })).rejects.toThrow(
        `error while building transformers: ${deprecated}  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.`,
      );
      await open(of(kms()), { level, gates: { KMSv1: true } });
    }
  });

  test("one check is for all from 1.26 on, where all have version 2 or are reloaded", async () => {
    const names = async (providers: object[], given: Given) => {
      const gates = { KMSv1: true, KMSv2: true };
      const { healthChecks, close } = await open(of(...providers), { gates, ...given });
      close();
      return healthChecks.map(({ name }) => name);
    };
    const v2 = kms({ apiVersion: "v2" });
    const v1 = kms({ name: "other" });
    expect(await names([v2], { level: "1.25" })).toEqual(["kms-provider-0"]);
    expect(await names([v2], { level: "1.26" })).toEqual(["kms-providers"]);
    expect(await names([v2, v1], { level: "1.36" })).toEqual(["kms-provider-0", "kms-provider-1"]);
    expect(await names([v2, v1], { level: "1.36", isReloaded: true })).toEqual(["kms-providers"]);
    expect(await names([], { level: "1.36" }).catch(() => "refused")).toBe("refused");
  });
});
