import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { parseOptions } from "../options/parse-options.js";
import { givenWithoutEffect } from "./without-effect.js";

function withoutEffect(...args: string[]): readonly string[] {
  const parsed = parseOptions(args, { profile: "kubernetes" });
  if (parsed.kind !== "run") throw new Error(JSON.stringify(parsed));
  return givenWithoutEffect({ ...parsed, naming: createNaming("kubernetes") });
}

test("options and gates that others go by are named, those of this server are not", () => {
  expect(withoutEffect("--insecure-port=0", "--kubelet-read-only-port=1", "--v=1")).toEqual([
    "--insecure-port",
    "--kubelet-read-only-port",
  ]);
  expect(
    withoutEffect("--feature-gates=CPUManager=false,SuspendJob=true,KubeletPodResources=true,AllAlpha=true"),
  ).toEqual(["CPUManager", "KubeletPodResources"]);
  expect(withoutEffect()).toEqual([]);
});
