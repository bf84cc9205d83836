import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { PodStatus } from "../../gen/core-v1.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { podStrategies } from "./strategy.js";

const write = testWriteContext();

function created(level: ApiLevel, ip: string, gates: Record<string, boolean> = {}) {
  const context = testApiContext({ level, gates });
  const { main } = podStrategies(context);
  const pod = testPod(context, {
    hostAliases: [{ ip, hostnames: ["a"] }],
    dnsConfig: { nameservers: [ip] },
  });
  main.prepareForCreate(write, pod);
  return { errors: errorTexts(main.validate(write, pod)), warnings: main.warningsOnCreate?.(write, pod) };
}

function reported(level: ApiLevel, before: PodStatus, after: PodStatus) {
  const context = testApiContext({ level });
  const { status } = podStrategies(context);
  const [pod, old] = [testPod(context), testPod(context)];
  pod.status = after;
  old.status = before;
  return {
    errors: errorTexts(status.validateUpdate(write, pod, old)),
    warnings: status.warningsOnUpdate?.(write, pod, old) ?? [],
  };
}

const [zeros, mapped] = ["010.0.0.1", "::ffff:1.2.3.4"];
const ambiguous = (path: string, ip: string, use: string): string =>
  `${path}: non-standard IP address "${ip}" will be considered invalid in a future Kubernetes release: use "${use}"`;

describe("addresses in the spec", () => {
  test("have errors with the alias's index from 1.30 on", () => {
    expect(created("1.29", "x").errors).toEqual([
      'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be valid IP address',
      'spec.hostAliases.ip: Invalid value: "x": must be valid IP address',
    ]);
    const why = 'Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    for (const level of ["1.30", "1.36"] as const) {
      expect(created(level, "x").errors).toEqual([
        `spec.dnsConfig.nameservers[0]: ${why}`,
        `spec.hostAliases[0].ip: ${why}`,
      ]);
    }
  });

  test("in ambiguous forms are warned of from 1.33 on, and refused where the gate is on", () => {
    expect(created("1.32", zeros)).toEqual({ errors: [], warnings: [] });
    const warnings = [
      ambiguous("spec.dnsConfig.nameservers[0]", zeros, "10.0.0.1"),
      ambiguous("spec.hostAliases[0].ip", zeros, "10.0.0.1"),
    ];
    expect(created("1.33", zeros)).toEqual({ errors: [], warnings });
    expect(created("1.35", zeros)).toEqual({ errors: [], warnings });
    const errors = [
      `spec.dnsConfig.nameservers[0]: Invalid value: "${zeros}": must not have leading 0s`,
      `spec.hostAliases[0].ip: Invalid value: "${zeros}": must not have leading 0s`,
    ];
    expect(created("1.33", zeros, { StrictIPCIDRValidation: true }).errors).toEqual(errors);
    expect(created("1.36", zeros).errors).toEqual(errors);
    expect(created("1.36", zeros, { StrictIPCIDRValidation: false }).errors).toEqual([]);
  });
});

describe("addresses in the status", () => {
  const status: PodStatus = { hostIP: zeros, hostIPs: [{ ip: zeros }], podIPs: [{ ip: mapped }] };

  test("in ambiguous forms are warned of from 1.33 on, and refused at 1.36", () => {
    expect(reported("1.32", {}, status)).toEqual({ errors: [], warnings: [] });
    expect(reported("1.33", {}, status)).toEqual({
      errors: [],
      warnings: [
        ambiguous("status.podIPs[0].ip", mapped, "1.2.3.4"),
        ambiguous("status.hostIPs[0].ip", zeros, "10.0.0.1"),
      ],
    });
    expect(reported("1.36", {}, status).errors).toEqual([
      `status.podIPs[0]: Invalid value: "${mapped}": must not be an IPv4-mapped IPv6 address`,
      `status.hostIPs[0]: Invalid value: "${zeros}": must not have leading 0s`,
    ]);
  });

  test("are no two families where one is no address", () => {
    const odd: PodStatus = { podIPs: [{ ip: "1.1.1.1" }, { ip: "x" }] };
    const [invalid, check, families, ...more] = reported("1.36", {}, odd).errors;
    expect(invalid).toMatch(/^status.podIPs\[1\]: Invalid value: "x": must be a valid IP address/);
    expect(check).toBe(
      "status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: x",
    );
    expect(families).toMatch(/may specify no more than one IP for each IP family$/);
    expect(more).toEqual([]);
  });

  test("stay where the old object has them, but no others come in beside them", () => {
    expect(reported("1.36", status, { ...status, phase: "Running" }).errors).toEqual([]);
    const why = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    const [before, after] = [{ podIPs: [{ ip: "x" }] }, { podIPs: [{ ip: "y" }] }];
    expect(reported("1.32", before, after).errors).toEqual([]);
    expect(reported("1.33", before, after).errors).toEqual([`status.podIPs[0]: Invalid value: "y": ${why}`]);
  });
});
