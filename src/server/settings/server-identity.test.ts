import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { serverIdentity } from "./server-identity.js";

const naming = createNaming("kubernetes");

test("before 1.26 each process has its own identity", () => {
  const one = serverIdentity(naming, "1.25");
  expect(one.name).toMatch(new RegExp(`^${naming.commandName}-[0-9a-f-]{36}$`));
  expect(one.name).not.toBe(serverIdentity(naming, "1.25").name);
  expect(one.labels).toEqual({ [`${naming.groupDomain}/component`]: naming.commandName });
});

test("since 1.27 the name is that of the program on the host", () => {
  expect(serverIdentity(naming, "1.27", "vm").name).toBe("apiserver-wlv32tlttr4jl3gtroqexyxapa");
  expect(serverIdentity(naming, "1.26", "vm").name).toBe("apiserver-lphjr5z7h3imqn7sokpnsue3ha");
});

test("since 1.26 the name is that of the host", () => {
  const one = serverIdentity(naming, "1.26", "node-1");
  const other = serverIdentity(naming, "1.26", "node-1");
  expect(one.name).toMatch(/^apiserver-[a-z2-7]{26}$/);
  expect([one.name, one.holder === other.holder]).toEqual([other.name, false]);
  expect(one.holder.startsWith(`${one.name}_`)).toBe(true);
  expect(one.labels).toEqual({
    [`apiserver.${naming.domain}/identity`]: naming.commandName,
    [`${naming.domain}/hostname`]: "node-1",
  });
  // The first 16 bytes of the digest, five bits a character.
  const bits = [...createHash("sha256").update("node-1").digest().subarray(0, 16)]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("")
    .padEnd(130, "0");
  const digits = bits
    .match(/.{5}/g)
    ?.map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)]);
  expect(one.name).toBe(`apiserver-${digits?.join("")}`);
});
