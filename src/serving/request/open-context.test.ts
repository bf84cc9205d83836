import { expect, test } from "vitest";
import type { HttpExchange } from "../http/exchange.js";
import { openContext } from "./open-context.js";

const opened = (path: string) =>
  openContext({ method: "GET", path, query: "", headers: {} } as HttpExchange, new Date(0)); // as much of one as is read

test.each([
  ["/api/v1/pods", "/api/v1/pods"],
  ["/api/v1/namespaces/%61%2d%C3%A9/pods", "/api/v1/namespaces/a-é/pods"],
  // Not UTF-8.
  ["/x/%ff%41%fF-%c3%a9", "/x/\ufffdA\ufffd-é"],
])("%s is the path %s", (path, decoded) => {
  expect(opened(path).info.path).toBe(decoded);
});

test("an escape without its digits is refused", () => {
  const { pathError } = opened("/x/%zz%ff");
  expect(pathError?.status).toMatchObject({ code: 400, message: 'invalid URL escape in path "/x/%zz%ff"' });
});
