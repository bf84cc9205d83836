import { expect, test } from "vitest";
import { publishedAddress } from "./cluster-addresses.js";

test.each([
  [{ externalHostname: "api.example.org" }, "api.example.org:6443"],
  [{ externalHostname: "api.example.org:443", advertiseAddress: "192.0.2.1" }, "api.example.org:443"],
  [{ advertiseAddress: "192.0.2.1" }, "192.0.2.1:6443"],
  [{ advertiseAddress: "2001:db8::1" }, "[2001:db8::1]:6443"],
  [{ bindAddress: "192.0.2.2" }, "192.0.2.2:6443"],
])("with %j, URLs are of %s", (options, address) => {
  const none = { externalHostname: undefined, advertiseAddress: undefined, bindAddress: "0.0.0.0" };
  expect(publishedAddress({ ...none, ...options }, 6443)).toBe(address);
});
