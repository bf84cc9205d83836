import { expect, test, vi } from "vitest";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Container } from "../../gen/core-v1.js";
import { containersTotal, podTotal } from "./pod-requests.js";

const container = (requests: Record<string, string>, restartPolicy?: string): Container => ({
  name: "c",
  resources: { requests },
  ...(restartPolicy !== undefined && { restartPolicy }),
});

test("init containers run beside the sidecars that started before them", () => {
  const spec = {
    containers: [container({ cpu: "2" })],
    initContainers: [
      container({ cpu: "4", memory: "1" }),
      container({ cpu: "1", "a.b/c": "2" }, "Always"),
      container({ cpu: "3", "a.b/c": "1" }),
      container({ memory: "2" }, "Always"),
      container({ memory: "1" }),
    ],
  };
  const total = (names?: readonly string[]) =>
    Object.fromEntries(
      [...containersTotal(spec, "requests", names === undefined ? {} : { names })].map(([name, sum]) => [
        name,
        `${sum}`,
      ]),
    );
  expect(total()).toEqual({ cpu: "4", "a.b/c": "3", memory: "3" });
  expect(total(["memory"])).toEqual({ memory: "3" });
  expect(containersTotal(spec, "limits").size).toBe(0);
});

test("sidecars are not counted again for each other one", () => {
  const many = 500;
  const add = vi.spyOn(Quantity.prototype, "add");
  const compare = vi.spyOn(Quantity.prototype, "compare");
  const initContainers = Array.from({ length: many }, (_, index) =>
    container({ [`a.b/r${index}`]: "1" }, index % 2 === 0 ? "Always" : undefined),
  );
  expect(containersTotal({ containers: [], initContainers }, "requests").size).toBe(many);
  expect(add.mock.calls.length + compare.mock.calls.length).toBeLessThan(4 * many);
});

test("of many limits only those that are asked for are read", () => {
  const limits = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`a.b/r${index}`, "1"]));
  const parse = vi.spyOn(Quantity, "parse");
  const containers = [{ name: "c", resources: { limits: { ...limits, cpu: "1" } } }];
  expect([...containersTotal({ containers }, "limits", { names: ["cpu", "memory"] }).keys()]).toEqual([
    "cpu",
  ]);
  expect(parse).toHaveBeenCalledTimes(1);
});

test("overhead is no limit by itself, where it needs one", () => {
  const spec = {
    containers: [{ name: "c", resources: { limits: { cpu: "1", "a.b/c": "0" } } }],
    overhead: { cpu: "1", memory: "2", "a.b/c": "3" },
  };
  const total = (overheadNeedsLimit: boolean) =>
    Object.fromEntries(
      [...podTotal(spec, "limits", { overheadNeedsLimit })].map(([name, sum]) => [name, `${sum}`]),
    );
  expect(total(true)).toEqual({ cpu: "2", "a.b/c": "0" });
  expect(total(false)).toEqual({ cpu: "2", memory: "2", "a.b/c": "3" });
});
