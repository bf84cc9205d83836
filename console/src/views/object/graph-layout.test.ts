import { expect, test } from "vitest";
import { type Relative, related } from "../../api/relations.ts";
import { layOut } from "./graph-layout.ts";

const node = (uid: string, ...owners: string[]) => ({ uid, owners: owners.map((owner) => ({ uid: owner })) });

test("owners are left of what they own, each at a place of its own", () => {
  const places = layOut([
    node("pod-1", "set"),
    node("pod-2", "set", "other"),
    node("set", "deploy"),
    node("deploy"),
    node("other"),
  ]);
  expect(places.get("deploy")).toEqual({ column: 0, row: 0 });
  expect(places.get("set")?.column).toBe(1);
  expect(places.get("pod-1")?.column).toBe(2);
  expect(places.get("pod-2")?.column).toBe(2);
  expect(new Set([...places.values()].map(({ column, row }) => `${column},${row}`)).size).toBe(5);
});

test("a circle of owners has a place, too", () => {
  expect(layOut([node("a", "b"), node("b", "a"), node("c", "c")]).size).toBe(3);
});

test("relatives are those above and below, not those beside", () => {
  const relative = (uid: string, ...owners: string[]): Relative => ({
    uid,
    kind: "Thing",
    name: uid,
    namespace: "",
    resource: undefined,
    owners: owners.map((owner) => ({ uid: owner, apiVersion: "v1", kind: "Thing", name: owner })),
    isMissing: false,
  });
  const all = [
    relative("deploy"),
    relative("set", "deploy"),
    relative("other-set", "deploy"),
    relative("pod", "set", "lost"),
  ];
  const found = related("set", new Map(all.map((each) => [each.uid, each])));
  expect(found.map(({ uid }) => uid).sort()).toEqual(["deploy", "pod", "set"]);
  const ofPod = related("pod", new Map(all.map((each) => [each.uid, each])));
  expect(ofPod.find(({ uid }) => uid === "lost")?.isMissing).toBe(true);
});
