import { expect, test } from "vitest";
import type { RequestInfo } from "../../apimachinery/request-info.js";
import { createAuthorizer } from "./modes.js";

const info: RequestInfo = {
  isResourceRequest: false,
  path: "/metrics",
  verb: "get",
  apiPrefix: "",
  apiGroup: "",
  apiVersion: "",
  namespace: "",
  resource: "",
  subresource: "",
  name: "",
  parts: [],
};

test.each([
  [["AlwaysAllow"], "somebody", true],
  [["AlwaysDeny"], "somebody", false],
  [["AlwaysDeny", "AlwaysAllow"], "somebody", true],
  [["AlwaysAllow", "AlwaysDeny"], "somebody", true],
  [["AlwaysDeny"], "system:masters", true],
])("%j lets a member of %s in: %s", async (modes, group, allowed) => {
  const user = { name: "a", uid: "", groups: [group], extra: {} };
  expect(await createAuthorizer(modes).authorize(user, info)).toMatchObject({ allowed });
});
