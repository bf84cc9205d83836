import type { Profiler } from "node:inspector";
import { post, withSession } from "./inspector-session.js";
import type { CallNode } from "./pprof-profile.js";

/** Samples which call runs, at this interval, until `during` resolves. Rejects as it does. */
export async function sampledCalls(
  intervalUs: number,
  during: () => Promise<void>,
): Promise<Profiler.Profile> {
  const { profile } = await withSession(async (session) => {
    await post((done) => session.post("Profiler.enable", done));
    await post((done) => session.post("Profiler.setSamplingInterval", { interval: intervalUs }, done));
    await post((done) => session.post("Profiler.start", done));
    await during();
    return await post<Profiler.StopReturnType>((done) => session.post("Profiler.stop", done));
  });
  return profile;
}

/** The calls of a profile from the outermost on, with the values of each. */
export function callTree(
  { nodes }: Profiler.Profile,
  valuesOf: (node: Profiler.ProfileNode) => readonly number[],
): CallNode {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const view = (node: Profiler.ProfileNode): CallNode => ({
    callFrame: node.callFrame,
    values: valuesOf(node),
    get children() {
      return (node.children ?? []).flatMap((id) => byId.get(id) ?? []).map(view);
    },
  });
  const [root] = nodes;
  if (root === undefined) throw new Error("a CPU profile without a root");
  return view(root);
}
