import { describe, expect, test } from "vitest";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { printValue } from "../../../apimachinery/errors/printed-value.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { validatePodSpec } from "./validation.js";
import { podValidationOptions } from "./validation-options.js";

const liberal = testApiContext();
const strict = testApiContext({
  gates: { WindowsHostProcessContainers: false },
  options: { allowPrivileged: false },
});

function errorsOf(spec: JsonObject, context = liberal): string[] {
  const pod = testPod(context, spec);
  const options = podValidationOptions(context, pod);
  return errorTexts(validatePodSpec(pod.spec, pod.metadata, FieldPath.of("spec"), options));
}

function container(securityContext: JsonObject): JsonObject {
  return { containers: [{ name: "app", image: "app", securityContext }] };
}

const p = "spec.securityContext";
const c = "spec.containers[0].securityContext";
const idRange = "must be between 0 and 2147483647, inclusive";

test.each<[JsonObject, unknown[]]>([
  [
    { securityContext: { fsGroup: -1, runAsUser: -1, runAsGroup: 4294967296, supplementalGroups: [0, -1] } },
    [
      `${p}.fsGroup: Invalid value: -1: ${idRange}`,
      `${p}.runAsUser: Invalid value: -1: ${idRange}`,
      `${p}.runAsGroup: Invalid value: 4294967296: ${idRange}`,
      `${p}.supplementalGroups[1]: Invalid value: -1: ${idRange}`,
    ],
  ],
  [
    { hostPID: true, shareProcessNamespace: true },
    [
      `${p}.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled`,
    ],
  ],
  [
    { securityContext: { sysctls: [{ name: "" }, { name: "a/b" }, { name: "a.b" }, { name: "a.b" }] } },
    [
      `${p}.sysctls[0].name: Required value`,
      `${p}.sysctls[1].name: Invalid value: "a/b": must have at most 253 characters and match regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?`,
      `${p}.sysctls[3].name: Duplicate value: "a.b"`,
    ],
  ],
  [
    { securityContext: { fsGroupChangePolicy: "Odd" } },
    [`${p}.fsGroupChangePolicy: Unsupported value: "Odd": supported values: "Always", "OnRootMismatch"`],
  ],
  [
    { securityContext: { seccompProfile: { type: "" } } },
    [`${p}.seccompProfile.type: Required value: type is required when seccompProfile is set`],
  ],
  [
    { securityContext: { seccompProfile: { type: "Odd", localhostProfile: "x" } } },
    [
      `${p}.seccompProfile.type: Unsupported value: "Odd": supported values: "Localhost", "RuntimeDefault", "Unconfined"`,
      expect.stringMatching(/localhostProfile: .*: can only be set when seccomp type is Localhost$/),
    ],
  ],
  [
    { securityContext: { seccompProfile: { type: "Localhost" } } },
    [`${p}.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`],
  ],
  [
    { securityContext: { seccompProfile: { type: "Localhost", localhostProfile: "/a" } } },
    [`${p}.seccompProfile.localhostProfile: Invalid value: "/a": must be a relative path`],
  ],
  [
    {
      hostNetwork: true,
      containers: [{ name: "a", image: "a", ports: [{ containerPort: 1, hostPort: 2 }] }],
    },
    [
      "spec.containers[0].ports[0].containerPort: Invalid value: 1: must match `hostPort` when `hostNetwork` is true",
    ],
  ],
  [
    container({ procMount: "Odd" }),
    [`${c}.procMount: Unsupported value: "Odd": supported values: "Default", "Unmasked"`],
  ],
  [
    container({
      allowPrivilegeEscalation: false,
      privileged: true,
      capabilities: { add: ["CAP_SYS_ADMIN"] },
    }),
    [
      expect.stringMatching(/: cannot set `allowPrivilegeEscalation` to false and `privileged` to true$/),
      expect.stringMatching(
        /: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN$/,
      ),
    ],
  ],
])("%j: %j", (spec, expected) => {
  expect(errorsOf(spec)).toEqual(expected);
});

test("privileged containers are refused where the server does not allow them", () => {
  expect(errorsOf(container({ privileged: true }))).toEqual([]);
  expect(errorsOf(container({ privileged: true }), strict)).toEqual([
    `${c}.privileged: Forbidden: disallowed by cluster policy`,
  ]);
});

describe("windows", () => {
  const w = `${p}.windowsOptions`;
  test.each<[JsonObject, string[]]>([
    [{ runAsUserName: "DOMAIN\\user" }, []],
    [{ runAsUserName: "" }, ["runAsUserName cannot be an empty string"]],
    [{ runAsUserName: "a\u0007" }, ["runAsUserName cannot contain control characters"]],
    [{ runAsUserName: "a\\b\\c" }, ["runAsUserName cannot contain more than one backslash"]],
    [{ runAsUserName: "\\a" }, ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]],
    [{ runAsUserName: "a\\" }, ["runAsUserName's User cannot be empty"]],
    [{ runAsUserName: ". ." }, ["runAsUserName's User cannot contain only periods or spaces"]],
    [
      { runAsUserName: "a@b" },
      ["runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"],
    ],
    [
      { runAsUserName: "u".repeat(105) },
      ["runAsUserName's User length must not be longer than 104 characters"],
    ],
    [{ gmsaCredentialSpec: "" }, ["gmsaCredentialSpec cannot be an empty string"]],
    [{ gmsaCredentialSpec: "x".repeat(65537) }, ["gmsaCredentialSpec size must be under 64 KiB"]],
  ])("options %#", (windowsOptions, expected) => {
    const [field, value] = Object.entries(windowsOptions)[0] ?? [];
    expect(errorsOf({ securityContext: { windowsOptions } })).toEqual(
      expected.map((problem) => `${w}.${field}: Invalid value: ${printValue(value)}: ${problem}`),
    );
  });

  const hostProcess = { windowsOptions: { hostProcess: true } };
  const two = [
    { name: "a", image: "a", securityContext: hostProcess },
    { name: "b", image: "b" },
  ];

  test.each<[JsonObject, string[]]>([
    [{ securityContext: hostProcess, hostNetwork: true }, []],
    [
      { containers: two, hostNetwork: true },
      [
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ],
    ],
    [
      { securityContext: hostProcess },
      [
        "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers",
      ],
    ],
    [
      { ...container({ windowsOptions: { hostProcess: false } }), securityContext: hostProcess },
      [
        `${c}.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true`,
      ],
    ],
  ])("processes of the host %j: %j", (spec, expected) => {
    expect(errorsOf(spec)).toEqual(expected);
  });

  test("processes of the host need their gate", () => {
    const disabled = "Forbidden: not allowed when feature gate 'WindowsHostProcessContainers' is not enabled";
    expect(errorsOf({ securityContext: hostProcess }, strict)).toEqual([`${w}.hostProcess: ${disabled}`]);
    expect(errorsOf(container(hostProcess), strict)).toEqual([
      `${c}.windowsOptions.hostProcess: ${disabled}`,
      "spec: Forbidden: pod must not contain Windows hostProcess containers when feature gate 'WindowsHostProcessContainers' is not enabled",
    ]);
  });
});

describe("operating systems", () => {
  test("a linux pod has no options of windows", () => {
    const spec = {
      ...container({ windowsOptions: { runAsUserName: "u" } }),
      os: { name: "linux" },
      securityContext: { windowsOptions: {} },
    };
    expect(errorsOf(spec)).toEqual([
      `${p}.windowsOptions: Forbidden: windows options cannot be set for a linux pod`,
      `${c}.windowsOptions: Forbidden: windows options cannot be set for a linux pod`,
    ]);
  });

  test("a windows pod has none of linux", () => {
    const spec = {
      ...container({ capabilities: {}, privileged: false, runAsUser: 1 }),
      os: { name: "windows" },
      hostIPC: true,
      shareProcessNamespace: false,
      securityContext: { fsGroup: 1, seLinuxOptions: {}, supplementalGroups: [1] },
    };
    expect(errorsOf(spec)).toEqual(
      [
        `${p}.seLinuxOptions`,
        "spec.hostIPC",
        `${p}.fsGroup`,
        "spec.shareProcessNamespace",
        `${p}.supplementalGroups`,
        `${c}.capabilities`,
        `${c}.privileged`,
        `${c}.runAsUser`,
      ].map((field) => `${field}: Forbidden: cannot be set for a windows pod`),
    );
  });
});
