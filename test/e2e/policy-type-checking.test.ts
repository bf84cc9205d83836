import { afterEach, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import type { Options } from "../../src/server/options/options.js";
import { boatDefinition } from "../support/boat-definition.js";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";

/** What the status of a validating policy tells of expressions that do not fit their types. */

let server: InProcessServer | undefined;

afterEach(async () => {
  await server?.dispose();
  server = undefined;
});

const alpha = {
  featureGates: new Map([["ValidatingAdmissionPolicy", true]] as const),
  runtimeConfig: new Map([["admissionregistration.k8s.io/v1alpha1", "true"]]),
};
const beta = { ...alpha, runtimeConfig: new Map([["admissionregistration.k8s.io/v1beta1", "true"]]) };

const rules = (apiGroup: string, resource: string) => ({
  resourceRules: [
    { apiGroups: [apiGroup], apiVersions: ["v1"], operations: ["CREATE"], resources: [resource] },
  ],
});

test.each<[ApiLevel, string, Partial<Options>, boolean]>([
  ["1.27", "v1alpha1", alpha, false],
  ["1.28", "v1beta1", beta, false],
  ["1.29", "v1beta1", beta, true],
  ["1.36", "v1", {}, true],
])("at %s in %s", async (level, version, options, checksCustom) => {
  server = await startInProcess({ apiLevel: level, ...options });
  const { api } = server;
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", boatDefinition());
  const boats = "/apis/example.com/v1/namespaces/default/boats";
  await expect.poll(async () => (await api.get(boats)).status).toBe(200);

  const policies = `/apis/admissionregistration.k8s.io/${version}/validatingadmissionpolicies`;
  const status = async (name: string, spec: object) => {
    const created = await api.post(policies, { metadata: { name }, spec });
    expect([created.status, created.text]).toEqual([201, created.text]);
    const read = async () => (await api.get(`${policies}/${name}`)).body.status;
    await expect.poll(read).toMatchObject({ observedGeneration: 1 });
    return await read();
  };
  const builtin = await status("builtin", {
    matchConstraints: rules("apps", "deployments"),
    validations: [{ expression: "object.spec.replica > 1" }],
  });
  expect(builtin.typeChecking.expressionWarnings).toHaveLength(1);

  const custom = await status("custom", {
    paramKind: { apiVersion: "example.com/v1", kind: "Boat" },
    matchConstraints: rules("example.com", "boats"),
    validations: [
      { expression: "object.spec.sails > 1 && object.metadata.labels['a'] == 'b'" },
      { expression: "object.spec.sail > 1" },
      { expression: "object.spec.sails > 'one'" },
      { expression: "params.spec.anchors > 1" },
    ],
  });
  const warnings: { fieldRef: string; warning: string }[] = custom.typeChecking.expressionWarnings ?? [];
  expect(warnings.map(({ fieldRef, warning }) => `${fieldRef}: ${warning.split("\n")[0]}`)).toEqual(
    checksCustom
      ? [
          "spec.validations[1].expression: example.com/v1, Kind=Boat: ERROR: <input>:1:12: undefined field 'sail'",
          "spec.validations[2].expression: example.com/v1, Kind=Boat: ERROR: <input>:1:19: found no matching overload for '_>_' applied to '(int, string)'",
          "spec.validations[3].expression: example.com/v1, Kind=Boat: ERROR: <input>:1:12: undefined field 'anchors'",
        ]
      : [],
  );
});
