import { expect, test } from "vitest";
import { HostPorts } from "./host-ports.js";

const port = (ip: string, port = "TCP/80") => [{ port, ip }];

test.each([
  ["0.0.0.0", "0.0.0.0", true],
  ["0.0.0.0", "10.0.0.1", true],
  ["10.0.0.1", "0.0.0.0", true],
  ["10.0.0.1", "10.0.0.1", true],
  ["10.0.0.1", "10.0.0.2", false],
])("a port that is used at %s is taken at %s: %s", (used, wanted, isTaken) => {
  const ports = new HostPorts();
  ports.add(port(used));
  expect(ports.hasAny(port(wanted))).toBe(isTaken);
  expect(ports.hasAny(port(wanted, "UDP/80"))).toBe(false);
});

test("a port stays taken until all its users are gone", () => {
  const ports = new HostPorts();
  for (const _ of "ab") ports.add(port("10.0.0.1"));
  ports.remove(port("10.0.0.1"));
  expect(ports.hasAny(port("0.0.0.0"))).toBe(true);
  ports.remove(port("10.0.0.1"));
  expect(ports.hasAny(port("0.0.0.0"))).toBe(false);
});
