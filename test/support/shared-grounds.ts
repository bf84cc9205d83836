import { afterAll } from "vitest";
import { type GroundHere, openGroundHere } from "./fixtures.js";

/** Opens one ground for all tests of a file that give the same arguments: they do not mind what the others leave there. */
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
