import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../testing/api-context.js";
import { admissionregistrationResources } from "./resources.js";

const gate = { ManifestBasedAdmissionControlConfig: true };
const name = "guard.static.k8s.io";
const why =
  'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';

describe.each<[ApiLevel, object, boolean, boolean]>([
  ["1.35", {}, false, false],
  ["1.36", {}, true, false],
  ["1.36", gate, true, true],
])("at %s with %o", (level, gates, warns, refuses) => {
  test("names for files are warned of, or refused", () => {
    const kinds = admissionregistrationResources(testApiContext({ level, gates }));
    expect(kinds).toHaveLength(6);
    for (const { strategy } of kinds) {
      const write = testWriteContext();
      const told = (of: string) => {
        const object = { metadata: { name: of }, spec: {}, webhooks: [] };
        return {
          created: strategy.warningsOnCreate?.(write, object) ?? [],
          updated: strategy.warningsOnUpdate?.(write, object, object) ?? [],
          refused: strategy
            .validate(write, object)
            .filter(({ field }) => field === "metadata.name")
            .map(({ body }) => body),
        };
      };
      expect(told("guard.static.example.com")).toEqual({ created: [], updated: [], refused: [] });
      const warning = [`metadata.name: ${why}`];
      expect(told(name)).toEqual({
        created: warns && !refuses ? warning : [],
        updated: warns ? warning : [],
        refused: refuses ? [expect.stringContaining(why)] : [],
      });
    }
  });
});
