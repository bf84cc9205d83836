import { beforeAll, expect, test } from "vitest";
import { type Issued, issue } from "../access/authentication/certificates/testing/certificates.js";
import { mergeAuthenticationData } from "./cluster-authentication-info.js";

const now = new Date();
const names = {
  usernameHeaders: ["X-Remote-User"],
  groupHeaders: ["X-Remote-Group"],
  extraHeaderPrefixes: ["X-Remote-Extra-"],
  allowedNames: [],
};
let one: Issued;
let two: Issued;
let over: Issued;

beforeAll(async () => {
  one = await issue({ subject: "CN=one", authority: true });
  two = await issue({ subject: "CN=two", authority: true });
  over = await issue({ subject: "CN=over", authority: true, notAfter: new Date(now.getTime() - 5000) });
});

const text = ({ certificate }: Issued): string => certificate.toString();

test("a server publishes what it has, as JSON lists where there may be several values", () => {
  const info = { clientAuthorities: one.certPem, frontProxy: { ...names, authorities: two.certPem } };
  expect(mergeAuthenticationData({}, info, now)).toEqual({
    "client-ca-file": text(one),
    "requestheader-client-ca-file": text(two),
    "requestheader-username-headers": '["X-Remote-User"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    "requestheader-allowed-names": "[]",
  });
});

test("without a front proxy nothing about one is published", () => {
  const info = { clientAuthorities: one.certPem, frontProxy: undefined };
  expect(Object.keys(mergeAuthenticationData({}, info, now))).toEqual(["client-ca-file"]);
});

test("what other servers wrote stays, once, and until it expires", () => {
  const existing = {
    "client-ca-file": `${two.certPem}garbage\n${over.certPem}${one.certPem}`,
    "requestheader-username-headers": '["X-User","X-Remote-User"]',
    "requestheader-group-headers": "no list",
    other: "kept",
  };
  const info = { clientAuthorities: one.certPem, frontProxy: { ...names, authorities: one.certPem } };
  const merged = mergeAuthenticationData(existing, info, now);
  expect(merged).toMatchObject({
    "client-ca-file": text(two) + text(one),
    "requestheader-username-headers": '["X-User","X-Remote-User"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    other: "kept",
  });
  expect(mergeAuthenticationData(merged, info, now)).toEqual(merged);
});

test("a megabyte of first lines, and thousands of blocks that are no certificates, are left out quickly", () => {
  const info = { clientAuthorities: one.certPem, frontProxy: undefined };
  const own = { "client-ca-file": text(one) };
  const [first, last] = ["-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"];
  const firstLines = `${first}\n`.repeat(50_000);
  expect(mergeAuthenticationData({ "client-ca-file": firstLines }, info, now)).toEqual(own);
  const blocks = `${first}\nx\n${last}\n`.repeat(25_000);
  expect(mergeAuthenticationData({ "client-ca-file": blocks }, info, now)).toEqual(own);
});
