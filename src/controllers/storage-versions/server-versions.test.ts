import { expect, test } from "vitest";
import { withServer, withServers } from "./server-versions.js";

const server = (apiServerID: string, encodingVersion: string) => ({
  apiServerID,
  encodingVersion,
  decodableVersions: ["apps/v1", "apps/v2"],
});
const noon = new Date("2026-11-22T12:00:00.000Z");
const later = new Date("2026-11-22T13:00:00.000Z");

test("servers that write the same version agree on a common version", () => {
  const one = withServer({}, server("a", "apps/v1"), noon);
  const two = withServer(one, server("b", "apps/v1"), later);
  expect(two).toEqual({
    storageVersions: [server("a", "apps/v1"), server("b", "apps/v1")],
    commonEncodingVersion: "apps/v1",
    conditions: [
      {
        type: "AllEncodingVersionsEqual",
        status: "True",
        reason: "CommonEncodingVersionSet",
        message: "Common encoding version set",
        lastTransitionTime: "2026-11-22T12:00:00Z",
      },
    ],
  });
});

test("while a cluster is upgraded there is no common version, until the last server has changed", () => {
  const before = withServers({}, [server("a", "apps/v1"), server("b", "apps/v1")], noon);
  const between = withServer(before, server("b", "apps/v2"), later);
  expect(between.commonEncodingVersion).toBeUndefined();
  expect(between.conditions).toEqual([
    expect.objectContaining({
      status: "False",
      reason: "CommonEncodingVersionUnset",
      lastTransitionTime: "2026-11-22T13:00:00Z",
    }),
  ]);
  expect(withServer(between, server("a", "apps/v2"), later).commonEncodingVersion).toBe("apps/v2");
});

test("a server that is gone no longer counts", () => {
  const status = withServers({}, [server("a", "apps/v1"), server("b", "apps/v2")], noon);
  expect(withServers(status, [server("b", "apps/v2")], later).commonEncodingVersion).toBe("apps/v2");
});
