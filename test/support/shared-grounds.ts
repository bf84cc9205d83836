import { afterAll } from "vitest";
import { type GroundHere, openGroundHere } from "./fixtures.js";

/** Shares one server between all tests of a file that give the same arguments and do not depend on what the others leave. */
export function sharedGrounds(): (...args: readonly string[]) => Promise<GroundHere> {
  const grounds = new Map<string, Promise<GroundHere>>();
  afterAll(async () => {
    for (const ground of grounds.values()) await (await ground).dispose();
  });
  return (...args) => {
    const key = args.join(" ");
    const ground = grounds.get(key) ?? openGroundHere(args);
    grounds.set(key, ground);
    return ground;
  };
}
