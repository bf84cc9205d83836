import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LocalApiServices } from "../../src/aggregation/local-api-services.js";
import { apiLevels, hasLevel } from "../../src/apimachinery/levels/api-level.js";
import { ClusterRoleAggregation } from "../../src/controllers/cluster-role-aggregation.js";
import { FlowControlObjects } from "../../src/controllers/flow-control-objects.js";
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
/** All are written within one second, as on a fast machine: the order of managers depends on it. */
const seconds = 1_800_000_000;
/** Controllers that write these objects. */
const writers = [LocalApiServices, FlowControlObjects, ClusterRoleAggregation];

describe.each(profileNames)("prepared objects of the profile %s", (profile) => {
  const text = readFileSync(`dist/prepared-objects/${profile}.json`, "utf8");
  const prepared: readonly PreparedObject[] = JSON.parse(text);
  const naming = createNaming(profile);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: seconds * 1000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each(apiLevels)("are, byte for byte, what a server of level %s stores", async (apiLevel) => {
    const store = new MemoryStore();
    const ground = await openApiGround({ apiProfile: profile, apiLevel }, store);
    const { context } = ground.server;
    await bootstrapPriorityClasses(context);
    await bootstrapFlowControl(context, naming, apiLevel);
    await bootstrapRbac(context, naming, new FeatureGates(new Map(), apiLevel));
    const writing = ground.server.controllers.filter((each) => writers.some((one) => each instanceof one));
    expect(writing).toHaveLength(writers.length);
    for (const controller of writing) await controller.start();

    const wanted = prepared.filter((object) => hasLevel(object, apiLevel));
    const kinds = new Set(wanted.map(({ key }) => kindOf(key)));
    const made = async () => {
      const { kvs } = await store.range({ start: `${root}/`, end: prefixEnd(`${root}/`) });
      return new Map(kvs.map(({ key, value }) => [key.slice(root.length), Buffer.from(value)] as const));
    };
    const different = async () => {
      const values = await made();
      // A failure shows both texts, not only the key.
      return wanted.flatMap((object) => difference(object, values.get(object.key)));
    };
    await expect.poll(different).toEqual([]);
    const keys = [...(await made()).keys()].filter((key) => kinds.has(kindOf(key)));
    for (const controller of writing) await controller.stop();
    await ground.dispose();
    expect(wanted.map(({ key }) => key).sort()).toEqual(keys.sort());
  });
});

/** `/clusterroles` of `/clusterroles/admin`. */
function kindOf(key: string): string {
  return key.slice(0, key.indexOf("/", 1));
}

/** Empty when they differ in the uid and the time only. */
function difference(object: PreparedObject, stored: Buffer | undefined): object[] {
  const { key, uidAt } = object;
  const uid = stored?.toString("latin1", uidAt, uidAt + 36) ?? "";
  const value = storedValue(object, { uid: uid.padEnd(36), seconds });
  if (stored !== undefined && value.equals(stored)) return [];
  return [{ key, wanted: value.toString("latin1"), stored: stored?.toString("latin1") }];
}
