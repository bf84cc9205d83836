import { expect, test } from "vitest";
import { placeOf } from "./path-at.ts";

const text = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels:
    app: web
spec:
  containers:
  - name: main
    image: nginx
    ports:
      - containerPort: 80
        name: http
      -
    env:
    - name: A
      value: "1: 2"
  - name: other
    "quoted": x
  restartPolicy: Always
`.split("\n");

test.each([
  ["apiVersion", "", "apiVersion"],
  ["  name: web", "metadata", "name"],
  ["    app: web", "metadata.labels", "app"],
  ["  containers:", "spec", "containers"],
  ["  - name: main", "spec.containers.-1", "name"],
  ["    image: nginx", "spec.containers.-1", "image"],
  ["      - containerPort", "spec.containers.-1.ports.-1", "containerPort"],
  ["        name: http", "spec.containers.-1.ports.-1", "name"],
  ["    - name: A", "spec.containers.-1.env.-1", "name"],
  ["      value", "spec.containers.-1.env.-1", "value"],
  ["  - name: other", "spec.containers.-1", "name"],
  ['    "quoted"', "spec.containers.-1", "quoted"],
  ["  restartPolicy", "spec", "restartPolicy"],
])("%s", (start, path, key) => {
  const index = text.findIndex((line) => line.startsWith(start));
  const place = placeOf(text.slice(0, index + 1));
  expect([place.path.join("."), place.key]).toEqual([path, key]);
});

test("a line that is being written belongs where it begins", () => {
  const before = text.slice(0, 12);
  expect(placeOf([...before, "    im"]).path.join(".")).toBe("spec.containers.-1");
  expect(placeOf([...before, "  "]).path.join(".")).toBe("spec");
  expect(placeOf([...before, ""]).path.join(".")).toBe("");
  expect(placeOf([...before, "        pro"]).path.join(".")).toBe("spec.containers.-1.ports.-1");
});

test("a line as long as a file takes no longer than another", () => {
  expect(placeOf(["spec:", `  a${" ".repeat(1_000_000)}b`]).path.join(".")).toBe("spec");
});
