import { expect, test } from "vitest";
import { inheritedSocket } from "./inherited-socket.js";

test.each([
  [{}, undefined],
  [{ LISTEN_FDS: "1" }, 3],
  [{ LISTEN_FDS: "1", LISTEN_PID: "7" }, 3],
  [{ LISTEN_FDS: "1", LISTEN_PID: "8" }, undefined],
  [{ LISTEN_FDS: "0", LISTEN_PID: "7" }, undefined],
  [{ LISTEN_FDS: "x" }, undefined],
])("with %j the process 7 is handed %s", (env, descriptor) => {
  expect(inheritedSocket(env, 7)).toBe(descriptor);
});
