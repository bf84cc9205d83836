import { describe, expect, test } from "vitest";
import type { ProfileName } from "../../naming/naming.js";
import type { Options } from "./options.js";
import { parseOptions, resolveOptions } from "./parse-options.js";

function run(argv: readonly string[], profile: ProfileName = "orch"): Options {
  const parsed = parseOptions(argv, { profile });
  if (parsed.kind !== "run") throw new Error(JSON.stringify(parsed));
  return parsed.options;
}

function message(argv: readonly string[], profile: ProfileName = "orch"): string {
  const parsed = parseOptions(argv, { profile });
  if (parsed.kind !== "error") throw new Error(`${parsed.kind}, but an error was expected`);
  return parsed.message;
}

describe("forms", () => {
  test("a value follows after = or as the next argument, even one that begins with a dash", () => {
    expect(run(["--secure-port=1"]).securePort).toBe(1);
    expect(run(["--secure-port", "2"]).securePort).toBe(2);
    expect(message(["--secure-port", "-1"])).toMatch(/^--secure-port -1 must be between/);
    expect(run(["--store-prefix", "--x"]).storePrefix).toBe("--x");
    expect(run(["--store-prefix=a=b"]).storePrefix).toBe("a=b");
    expect(run(["--external-hostname="]).externalHostname).toBeUndefined();
  });

  test.each([[["-v", "4"]], [["-v=4"]], [["-v4"]], [["--v=4"]], [["--v", "4"]]])(
    "%j sets the log level",
    (argv) => {
      expect(run(argv).v).toBe(4);
    },
  );

  test("a switch stands alone or takes a value after = only", () => {
    expect(run(["--permit-address-sharing"]).permitAddressSharing).toBe(true);
    expect(run(["--profiling=false"]).profiling).toBe(false);
    expect(run(["--profiling=F", "--anonymous-auth=0"])).toMatchObject({
      profiling: false,
      anonymousAuth: false,
    });
    expect(message(["--profiling", "false"])).toBe(
      '--profiling: unexpected argument "false" (give a switch its value with "=", as in --profiling=false)',
    );
    expect(message(["--profiling=no"])).toBe('--profiling: invalid value "no", expected true or false');
  });

  test("underscores in a name count as dashes, those in a value do not", () => {
    expect(run(["--store_prefix=/a_b", "--external_hostname", "c_d"])).toMatchObject({
      storePrefix: "/a_b",
      externalHostname: "c_d",
    });
  });

  test("repeatable options add up, single ones keep the last", () => {
    const options = run([
      "--cors-allowed-origins=a,b",
      "--cors-allowed-origins",
      "c",
      "--service-account-issuer=https://a,b",
      "--service-account-issuer=c",
      "--secure-port=1",
      "--secure-port=2",
    ]);
    expect(options.corsAllowedOrigins).toEqual(["a", "b", "c"]);
    expect(options.serviceAccountIssuer).toEqual(["https://a,b", "c"]);
    expect(options.securePort).toBe(2);
  });

  test("durations are milliseconds", () => {
    expect(run(["--request-timeout=1h0m0s", "--shutdown-delay-duration", "500ms"])).toMatchObject({
      requestTimeoutMs: 3_600_000,
      shutdownDelayDurationMs: 500,
    });
    expect(message(["--request-timeout=90"])).toBe(
      '--request-timeout: missing unit in duration "90" (such as 30s, 5m0s, 1h0m0s)',
    );
  });

  test("options given on the command line are told apart from defaults", () => {
    const parsed = parseOptions(["--cert-dir=/var/run/orch"], { profile: "orch" });
    expect(parsed.kind === "run" && [...parsed.given]).toEqual(["cert-dir"]);
  });
});

describe("profiles", () => {
  test("the kubernetes profile accepts Kubernetes' names and the neutral ones", () => {
    const argv = ["--etcd-servers=http://a:1", "--store-servers=http://b:2", "--etcd-prefix", "/x"];
    expect(run(argv, "kubernetes")).toMatchObject({
      storeServers: ["http://a:1", "http://b:2"],
      storePrefix: "/x",
    });
    expect(message(["--kubelet-timeout=-1s"], "kubernetes")).toMatch(/^--kubelet-timeout can not be/);
    expect(message(["--kubernetes-service-node-port=1"], "kubernetes")).toMatch(
      /^--kubernetes-service-node-port: service port range/,
    );
  });

  test("the orch profile refuses Kubernetes' names and suggests its own", () => {
    expect(message(["--etcd-servers=http://a:1"])).toBe(
      "--etcd-servers: unknown option (did you mean --store-servers?)",
    );
  });

  test("--api-profile outranks the command's name, wherever it stands", () => {
    const options = run(["--etcd-servers=http://a:1", "--api-profile=kubernetes"]);
    expect(options.apiProfile).toBe("kubernetes");
    expect(options.certDir).toBe("/var/run/kubernetes");
    expect(run(["--api-profile", "orch"], "kubernetes").certDir).toBe("/var/run/orch");
    expect(run([], "kubernetes").apiProfile).toBe("kubernetes");
    expect(message(["--api-profile=other"])).toBe(
      '--api-profile: invalid value "other", allowed values: orch, kubernetes',
    );
  });

  test("a rule names an option as it was given, or else as the profile spells it", () => {
    expect(message(["--etcd-certfile=a"], "kubernetes")).toBe(
      "--etcd-keyfile: required when --etcd-certfile is given",
    );
    expect(message(["--store-certfile=a"], "kubernetes")).toBe(
      "--etcd-keyfile: required when --store-certfile is given",
    );
  });
});

describe("help and version", () => {
  test.each([[["--help"]], [["-h"]], [["--secure-port=1", "-h", "--nonsense"]]])(
    "%j asks for help",
    (argv) => {
      const parsed = parseOptions(argv, { profile: "orch" });
      expect(parsed).toEqual({
        kind: "help",
        text: expect.stringContaining("--secure-port int (default 6443)"),
      });
    },
  );

  test("--version is answered after options are parsed, but before combinations are checked", () => {
    expect(parseOptions(["--version"], { profile: "orch" })).toEqual({ kind: "version", level: "1.23" });
    expect(parseOptions(["--tls-cert-file=a", "--version", "--api-level=1.31"], { profile: "orch" })).toEqual(
      { kind: "version", level: "1.31" },
    );
    expect(message(["--version", "--nonsense"])).toBe("--nonsense: unknown option");
    expect(parseOptions(["--version=false", "--help=false"], { profile: "orch" })).toHaveProperty(
      "kind",
      "run",
    );
  });
});

describe("errors are one line that names the option", () => {
  test.each([
    [["--secure-prot=1"], "--secure-prot: unknown option (did you mean --secure-port?)"],
    [["--xyzzy"], "--xyzzy: unknown option"],
    [["-x"], "-x: unknown option"],
    [["stray"], 'unexpected argument "stray"'],
    [["--secure-port=1", "stray"], 'unexpected argument "stray"'],
    [["--", "stray"], 'unexpected argument "stray"'],
    [["--secure-port"], "--secure-port: requires a value of type int"],
    [["-v"], "-v: requires a value of type int"],
    [["--secure-port=x"], '--secure-port: invalid value "x", expected an integer'],
    [
      ["--secure-port=0"],
      "--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0",
    ],
    [["--bind-address=localhost"], '--bind-address: failed to parse IP: "localhost"'],
    [["--advertise-address=host"], '--advertise-address: "host" is not an IP address'],
    [
      ["--tls-min-version=TLS12"],
      '--tls-min-version: invalid value "TLS12", allowed values: VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13',
    ],
    [
      ["--strict-transport-security-directives=max-age"],
      "--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload",
    ],
    [["--store-servers=a:1"], '--store-servers: "a:1" is not of the form scheme://ip:port (http or https)'],
    [["--request-timeout=-1s"], "--request-timeout can not be a negative value"],
    [["--default-watch-cache-size=-1"], "--default-watch-cache-size can not be a negative value"],
    [
      ["--service-cluster-ip-range=10.0.0.0/8", "--api-level=1.33"],
      "specified --service-cluster-ip-range is too large; for 32-bit addresses, the mask must be >= 12",
    ],
    [
      ["--service-cluster-ip-range=10.0.0.0/24,10.1.0.0/24"],
      "--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family",
    ],
    [
      ["--service-cluster-ip-range=10.0.0.0/24,fd00::/120,10.2.0.0/24"],
      "--service-cluster-ip-range must not contain more than two entries",
    ],
    [
      ["--authorization-mode=AlwaysAllow,AlwaysAllow"],
      "--authorization-mode: mode AlwaysAllow specified more than once",
    ],
    [["--authorization-mode="], "--authorization-mode: at least one mode must be passed"],
    [
      ["--authorization-mode=Bogus"],
      '--authorization-mode: mode "Bogus" is unknown, allowed values: AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node',
    ],
    [
      ["--service-account-issuer=http://["],
      "--service-account-issuer \"http://[\" contained a ':' but was not a valid URL",
    ],
    [
      ["--service-account-issuer=a", "--service-account-issuer=a"],
      '--service-account-issuer "a" is already specified',
    ],
    [
      ["--controllers=*,-nonsense"],
      '--controllers: controller "-nonsense" is unknown, allowed values: *, apiserver-service, clusterrole-aggregation, garbagecollector, legacy-serviceaccount-token-cleaner, namespace, podgroup-protection, pv-protection, pvc-protection, resourcequota, root-ca-cert-publisher, service-cidrs, serviceaccount, serviceaccount-token, storage-version-gc, storage-version-migrator, vac-protection',
    ],
    [["--feature-gates=SuspendJob"], "--feature-gates: missing bool value for SuspendJob"],
    [
      ["--cloud-provider=aws"],
      "--cloud-provider: no cloud provider is built into this server: set it to external, and run the provider's own controller manager",
    ],
  ])("%j", (argv, expected) => {
    expect(message(argv)).toBe(expected);
    expect(message(argv)).not.toContain("\n");
  });
});

describe("options given by a program", () => {
  test("are completed with the defaults of their profile", () => {
    const resolved = resolveOptions({ securePort: 1234, apiProfile: "kubernetes" }, { profile: "orch" });
    expect(resolved).toMatchObject({
      kind: "ok",
      options: { securePort: 1234, certDir: "/var/run/kubernetes", requestTimeoutMs: 60_000 },
    });
  });

  test("keep the rules of the command line", () => {
    expect(resolveOptions({ securePort: 0 }, { profile: "orch" })).toHaveProperty("kind", "error");
    expect(resolveOptions({ requestTimeoutMs: -1 }, { profile: "orch" })).toEqual({
      kind: "error",
      message: "--request-timeout can not be a negative value",
    });
    expect(resolveOptions({ tlsCertFile: "a" }, { profile: "kubernetes" })).toHaveProperty("kind", "error");
  });
});

describe("options by level", () => {
  test("an option that the level has removed is unknown, wherever the level is given", () => {
    for (const argv of [
      ["--insecure-port=0", "--api-level=1.24"],
      ["--api-level", "1.24", "--insecure-port=0"],
    ]) {
      expect(message(argv)).toBe("--insecure-port: unknown option at API level 1.24: it was removed in 1.24");
    }
    expect(run(["--insecure-port=0"]).insecurePort).toBe(0);
    expect(message(["--api-level=1.22"])).toMatch(
      /^--api-level: invalid value "1.22", allowed values: 1.23,/,
    );
  });

  test("options of a program are checked in the same way, after the level itself", () => {
    const spell = (name: string) => `options.${name}`;
    expect(
      resolveOptions({ apiLevel: "1.33", cloudProvider: "external" }, { profile: "orch", spell }),
    ).toEqual({
      kind: "error",
      message: "options.cloud-provider: unknown option at API level 1.33: it was removed in 1.33",
    });
    // As a program without types may give it.
    const unknown: Partial<Options> = JSON.parse('{ "apiLevel": "1.99", "insecurePort": 0 }');
    expect(resolveOptions(unknown, { profile: "orch" })).toMatchObject({
      message: expect.stringMatching(/^--api-level: invalid value "1.99"/),
    });
  });

  test.each([
    [{ requestTimeoutMs: "5s" }, "--request-timeout: not a number of milliseconds"],
    [{ requestTimeout: 5000 }, "options.requestTimeout: unknown option"],
    [{ authorizationMode: ["Everything"] }, /^--authorization-mode: .*"Everything"/],
    [{ authorizationMode: "RBAC" }, "--authorization-mode: not a value of type strings"],
    [{ dataDir: 5 }, "--data-dir: not a value of type string"],
    [{ lab: "yes" }, /^--lab: .*"yes"/],
    [{ lab: "true" }, "--lab: not a value of type bool"],
    [{ apiProfile: "k3s" }, '--api-profile: invalid value "k3s", allowed values: orch, kubernetes'],
  ])("a program without types gets an error for %j", (given, message) => {
    const untyped: object = given;
    const expected = typeof message === "string" ? message : expect.stringMatching(message);
    expect(resolveOptions(untyped, { profile: "orch" })).toEqual({ kind: "error", message: expected });
  });

  const help = (argv: readonly string[]): string => {
    const parsed = parseOptions([...argv, "--help"], { profile: "orch", columns: 80 });
    return parsed.kind === "help" ? parsed.text : "";
  };

  test("rotated audit logs are kept for a year from 1.36 on", () => {
    expect(run(["--api-level=1.35"])).toMatchObject({ auditLogMaxage: 0, auditLogMaxbackup: 0 });
    const newest = ["--api-level=1.36"];
    expect(run(newest)).toMatchObject({
      auditLogMaxage: 366,
      auditLogMaxbackup: 100,
      auditLogMaxsize: 100,
    });
    expect(run([...newest, "--audit-log-maxage=0"])).toMatchObject({ auditLogMaxage: 0 });
    expect(help(newest)).toContain("--audit-log-maxage int (default 366)");
    expect(resolveOptions({ apiLevel: "1.36" }, { profile: "orch" })).toMatchObject({
      options: { auditLogMaxage: 366 },
    });
  });

  test("help has the options of the level", () => {
    expect(help([])).toContain("--insecure-port ");
    expect(help(["--api-level=1.35"])).not.toContain("--insecure-port ");
    expect(help(["--api-level=1.35"])).toContain("--secure-port ");
  });

  test("hidden metrics are those of the minor version before the level", () => {
    const option = "--show-hidden-metrics-for-version=1.34";
    expect(run([option, "--api-level=1.35"]).showHiddenMetricsForVersion).toBe("1.34");
    expect(message([option])).toBe(
      "--show-hidden-metrics-for-version must be omitted or have the value '1.22'. Only the previous minor version is allowed",
    );
  });

  test("priority and fairness needs the version of the level", () => {
    const needs = (version: string, level: string) =>
      parseOptions(
        [`--runtime-config=flowcontrol.apiserver.orch.io/${version}=false`, `--api-level=${level}`],
        { profile: "orch" },
      ).kind;
    expect(needs("v1beta2", "1.25")).toBe("error");
    expect(needs("v1beta2", "1.26")).toBe("run");
    expect(needs("v1beta3", "1.26")).toBe("error");
    expect(needs("v1", "1.29")).toBe("error");
  });
});
