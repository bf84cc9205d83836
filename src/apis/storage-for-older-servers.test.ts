import { expect, test } from "vitest";
import type { ApiLevel } from "../apimachinery/levels/api-level.js";
import { builtinResources } from "./builtin-resources.js";
import { testApiContext } from "./testing/api-context.js";

function stored(level: ApiLevel, oldestLevel?: ApiLevel): Map<string, string> {
  const definitions = builtinResources({ ...testApiContext({ level }), oldestLevel });
  return new Map(
    definitions.flatMap(({ group, resource, storage, versions, hub }) => {
      if (storage === undefined) return [];
      const readable = [...versions, ...(hub === undefined ? [] : [hub])].map(({ version }) => version);
      expect(readable, `${resource}.${group}`).toContain(storage.version);
      return [[`${resource}.${group}`, storage.version]];
    }),
  );
}

test.each<[ApiLevel, ApiLevel]>([
  ["1.35", "1.34"],
  ["1.36", "1.35"],
])("at %s objects are stored for servers of %s unless told otherwise", (level, before) => {
  expect(stored(level, before)).toEqual(stored(level));
});

test("a version is stored once all servers of the cluster know it", () => {
  const changed = (oldest: ApiLevel) => {
    const usual = stored("1.36");
    const of = [...stored("1.36", oldest)].filter(([resource, version]) => usual.get(resource) !== version);
    return Object.fromEntries(
      of.map(([resource, version]) => [resource, `${version}, not ${usual.get(resource)}`]),
    );
  };
  expect(changed("1.36")).toEqual({
    "mutatingadmissionpolicies.admissionregistration.k8s.io": "v1, not v1beta1",
    "mutatingadmissionpolicybindings.admissionregistration.k8s.io": "v1, not v1beta1",
  });
  expect(changed("1.34")).toEqual({
    "volumeattributesclasses.storage.k8s.io": "v1beta1, not v1",
  });
  expect(changed("1.33")).toEqual({
    "deviceclasses.resource.k8s.io": "v1beta2, not v1",
    "mutatingadmissionpolicies.admissionregistration.k8s.io": "v1alpha1, not v1beta1",
    "mutatingadmissionpolicybindings.admissionregistration.k8s.io": "v1alpha1, not v1beta1",
    "resourceclaims.resource.k8s.io": "v1beta2, not v1",
    "resourceclaimtemplates.resource.k8s.io": "v1beta2, not v1",
    "resourceslices.resource.k8s.io": "v1beta2, not v1",
    "volumeattributesclasses.storage.k8s.io": "v1beta1, not v1",
  });
});
