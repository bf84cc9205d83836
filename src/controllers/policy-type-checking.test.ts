import { expect, test, vi } from "vitest";
import { PolicyCompiler } from "../apis/admissionregistration/expressions/policy-compiler.js";
import type { ValidatingAdmissionPolicy } from "../apis/gen/admissionregistration-v1.js";
import { testApiContext } from "../apis/testing/api-context.js";
import { PolicyTypeChecking } from "./policy-type-checking.js";
import { TestRegistries } from "./testing/registries.js";

const level = "1.30";
const resource = "validatingadmissionpolicies";

test("each expression is compiled once for each kind, however many others may use it", async () => {
  const registries = new TestRegistries([resource, "deployments", "pods"], undefined, level);
  const compile = vi.spyOn(PolicyCompiler.prototype, "compile");
  const checking = new PolicyTypeChecking(registries.context, testApiContext({ level }));
  await checking.start();
  await registries.create(resource, {
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"], operations: ["*"] },
          { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["*"] },
        ],
      },
      variables: Array.from({ length: 10 }, (_, i) => ({ name: `v${i}`, expression: "object.spec" })),
      validations: Array.from({ length: 20 }, () => ({ expression: "variables.v0.replicas > 1" })),
    },
  });
  const status = async () =>
    (
      (
        await registries.of(resource).get("", "p", { kind: "mostRecent" })
      ).decode() as ValidatingAdmissionPolicy
    ).status;
  await expect.poll(status).toMatchObject({ observedGeneration: 1 });
  const warnings = (await status())?.typeChecking?.expressionWarnings ?? [];
  expect(warnings).toHaveLength(20);
  expect(warnings[19]).toEqual({
    fieldRef: "spec.validations[19].expression",
    warning: expect.stringMatching(/^\/v1, Kind=Pod: .*undefined field 'replicas'/s),
  });
  const checked = compile.mock.calls.filter(([, { isStored }]) => isStored);
  expect(checked).toHaveLength(2 * (10 + 20));
  await checking.stop();
});
