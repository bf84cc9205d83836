import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LocalApiServices } from "../../src/aggregation/local-api-services.js";
import { apiLevels, hasLevel } from "../../src/apimachinery/levels/api-level.js";
import { createNaming, profileNames } from "../../src/naming/naming.js";
import { bootstrapPriorityClasses } from "../../src/server/bootstrap/bootstrap.js";
import { bootstrapFlowControl } from "../../src/server/bootstrap/bootstrap-flow-control.js";
import { type PreparedObject, storedValue } from "../../src/server/bootstrap/prepared-objects.js";
import { bootstrapRbac } from "../../src/server/bootstrap-rbac/reconcile.js";
import { FeatureGates } from "../../src/server/options/feature-gates.js";
import { prefixEnd } from "../../src/storage/kv.js";
import { MemoryStore } from "../../src/storage/testing/memory-store.js";
import { openApiGround } from "../registry/api-ground.js";

const root = "/registry";

describe.each(profileNames)("prepared objects of the profile %s", (profile) => {
  const text = readFileSync(`dist/prepared-objects/${profile}.json`, "utf8");
  const prepared: readonly PreparedObject[] = JSON.parse(text);
  const naming = createNaming(profile);

  test.each(apiLevels)("are, byte for byte, what a server of level %s stores", async (apiLevel) => {
    const store = new MemoryStore();
    const ground = await openApiGround({ apiProfile: profile, apiLevel }, store);
    const { context } = ground.server;
    await bootstrapPriorityClasses(context);
    await bootstrapFlowControl(context, naming, apiLevel);
    await bootstrapRbac(context, naming, new FeatureGates(new Map(), apiLevel));
    const registration = ground.server.controllers.find((each) => each instanceof LocalApiServices);
    await registration?.start();
    await registration?.stop();
    const { kvs } = await store.range({ start: `${root}/`, end: prefixEnd(`${root}/`) });
    await ground.dispose();

    const wanted = prepared.filter((object) => hasLevel(object, apiLevel));
    const kinds = new Set(wanted.map(({ key }) => kindOf(key)));
    const made = new Map(kvs.map(({ key, value }) => [key.slice(root.length), Buffer.from(value)] as const));
    const keys = [...made.keys()].filter((key) => kinds.has(kindOf(key)));
    expect(wanted.map(({ key }) => key).sort()).toEqual(keys.sort());
    for (const object of wanted) {
      const value = made.get(object.key) ?? Buffer.alloc(0);
      expect(storedValue(object, identityOf(object, value)).equals(value), object.key).toBe(true);
    }
  });
});

/** `/clusterroles` of `/clusterroles/admin`. */
function kindOf(key: string): string {
  return key.slice(0, key.indexOf("/", 1));
}

function identityOf({ uidAt, timesAt }: PreparedObject, value: Buffer) {
  const [at = 0] = timesAt;
  const seconds = value.subarray(at, at + 5).reduceRight((sum, byte) => sum * 128 + (byte & 127), 0);
  return { uid: value.toString("latin1", uidAt, uidAt + 36), seconds };
}
