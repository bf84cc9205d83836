import { afterEach, expect, test } from "vitest";
import type { Secret } from "../apis/gen/core-v1.js";
import { AccountTokenSecrets, type AccountTokenSecretsOptions } from "./account-token-secrets.js";
import { TestRegistries } from "./testing/registries.js";

const type = "kubernetes.io/service-account-token";
const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";
const running: AccountTokenSecrets[] = [];

afterEach(async () => {
  for (const controller of running.splice(0)) await controller.stop();
});

/** Registries of secrets and service accounts, whose uids are numbered, and the controller. */
async function ground(options: Partial<AccountTokenSecretsOptions> = {}) {
  const registries = new TestRegistries(["secrets", "serviceaccounts"]);
  const { context } = registries;
  const signed: string[] = [];
  const controller = new AccountTokenSecrets(context, {
    secretType: type,
    nameAnnotation,
    uidAnnotation,
    caPem: "authority",
    sign: async ({ namespace, account, secretName }) => {
      signed.push(`${namespace}/${account.name}`);
      return `token of ${namespace}/${account.name} ${account.uid} in ${secretName}`;
    },
    ...options,
  });
  running.push(controller);
  const create = async (resource: string, json: object): Promise<string> =>
    (await registries.create(resource, json)).decode().metadata.uid ?? "";
  const find = async (name: string): Promise<Secret | undefined> =>
    (await context.builtin("secrets").find("ns", name, { kind: "mostRecent" }))?.decode();
  /** The texts of a secret's data. */
  const dataOf = async (name: string): Promise<Record<string, string>> => {
    const { data = {} } = (await find(name)) ?? {};
    const texts = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]);
    return Object.fromEntries(texts);
  };
  const remove = (resource: string, name: string) => registries.remove(resource, name);
  /** The names of the secrets that an account has. */
  const secretsOf = async (name: string) => {
    const found = await context.builtin("serviceaccounts").find("ns", name, { kind: "mostRecent" });
    return (found?.decode().secrets ?? []).map((each) => each.name);
  };
  return { controller, create, find, dataOf, remove, secretsOf, signed };
}

const account = (name: string) => ({ metadata: { name, namespace: "ns" } });
const secret = (name: string, annotations: object, data: object = {}) => ({
  metadata: { name, namespace: "ns", annotations },
  type,
  data,
});

test("a token secret gets its token, CA and namespace, even if it is older than the server", async () => {
  const { controller, create, find, dataOf, signed } = await ground();
  const uid = await create("serviceaccounts", account("robot"));
  await create("secrets", secret("before", { [nameAnnotation]: "robot" }));
  await controller.start();
  await create("secrets", secret("after", { [nameAnnotation]: "robot" }));
  await create("secrets", { metadata: { name: "other", namespace: "ns" }, type: "Opaque" });
  for (const name of ["before", "after"]) {
    await expect
      .poll(() => dataOf(name))
      .toEqual({
        token: `token of ns/robot ${uid} in ${name}`,
        "ca.crt": "authority",
        namespace: "ns",
      });
    expect((await find(name))?.metadata.annotations?.[uidAnnotation]).toBe(uid);
  }
  expect(await dataOf("other")).toEqual({});
  expect(signed).toHaveLength(2);
});

test("a token secret keeps what it has, except a replaced CA", async () => {
  const { controller, create, dataOf, signed } = await ground();
  await create("serviceaccounts", account("robot"));
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const data = { token: base64("mine"), namespace: base64("theirs"), "ca.crt": base64("old") };
  await create("secrets", secret("full", { [nameAnnotation]: "robot" }, data));
  await controller.start();
  await expect
    .poll(() => dataOf("full"))
    .toEqual({ token: "mine", namespace: "theirs", "ca.crt": "authority" });
  expect(signed).toEqual([]);
});

test("token secrets are deleted with their service account", async () => {
  const { controller, create, find, dataOf, remove } = await ground();
  await create("serviceaccounts", account("robot"));
  await create("serviceaccounts", account("other"));
  await controller.start();
  await create("secrets", secret("robots", { [nameAnnotation]: "robot" }));
  await create("secrets", secret("others", { [nameAnnotation]: "other" }));
  await expect.poll(() => dataOf("robots")).toHaveProperty("token");
  await expect.poll(() => dataOf("others")).toHaveProperty("token");
  await remove("serviceaccounts", "robot");
  await expect.poll(() => find("robots")).toBeUndefined();
  expect(await find("others")).toBeDefined();
});

test("a token secret whose service account is missing or was created again is deleted", async () => {
  const { controller, create, find } = await ground();
  await create("serviceaccounts", account("robot"));
  await create("secrets", secret("nobody", { [nameAnnotation]: "nobody" }));
  await create("secrets", secret("former", { [nameAnnotation]: "robot", [uidAnnotation]: "another" }));
  await controller.start();
  await expect.poll(() => find("nobody")).toBeUndefined();
  await expect.poll(() => find("former")).toBeUndefined();
});

test("a service account no longer names a deleted secret", async () => {
  const { controller, create, remove, dataOf, secretsOf } = await ground();
  const names = ["first", "second", "opaque"].map((name) => ({ name }));
  await create("serviceaccounts", { ...account("robot"), secrets: names });
  await controller.start();
  await create("secrets", secret("first", { [nameAnnotation]: "robot" }));
  await create("secrets", secret("second", { [nameAnnotation]: "robot" }));
  await create("secrets", { metadata: { name: "opaque", namespace: "ns" }, type: "Opaque" });
  await expect.poll(() => dataOf("first")).toHaveProperty("token");
  await expect.poll(() => dataOf("second")).toHaveProperty("token");
  await remove("secrets", "opaque");
  await remove("secrets", "first");
  await expect.poll(() => secretsOf("robot")).toEqual(["second", "opaque"]);
  await remove("serviceaccounts", "robot");
  await create("serviceaccounts", { ...account("robot"), secrets: [{ name: "second" }] });
  // It was a secret of the former account.
  await expect.poll(() => dataOf("second")).toEqual({});
  await create("secrets", secret("third", { [nameAnnotation]: "robot" }));
  await expect.poll(() => dataOf("third")).toHaveProperty("token");
  expect(await secretsOf("robot")).toEqual(["second"]);
});

test("a server that cannot sign fills in the rest", async () => {
  const { controller, create, dataOf } = await ground({ sign: undefined });
  await create("serviceaccounts", account("robot"));
  await create("secrets", secret("s", { [nameAnnotation]: "robot" }));
  await controller.start();
  await expect.poll(() => dataOf("s")).toEqual({ "ca.crt": "authority", namespace: "ns" });
});
