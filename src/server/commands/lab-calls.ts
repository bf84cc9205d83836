import { pathOfObject } from "./object-path.js";
import type { ServerCall, ServerClient } from "./server-client.js";

export function snapshotCall([action, name, ...more]: readonly string[]): ServerCall {
  const segment = name === undefined ? "" : encodeURIComponent(name);
  refuseMore(more);
  if (action === "list" && name === undefined) return { method: "GET", path: "/lab/snapshots" };
  if (action === "create") {
    return {
      method: "POST",
      path: "/lab/snapshots",
      query: name === undefined ? {} : { name },
    };
  }
  if (action === "rewind" && name !== undefined) {
    return { method: "POST", path: `/lab/snapshots/${segment}/rewind` };
  }
  if (action === "delete" && name !== undefined) {
    return { method: "DELETE", path: `/lab/snapshots/${segment}` };
  }
  throw new Error("expected one of: create [NAME], list, rewind NAME, delete NAME");
}

export function clockCall([action, by, ...more]: readonly string[]): ServerCall {
  refuseMore(more);
  if (action === "advance" && by !== undefined) {
    return { method: "POST", path: "/lab/clock/advance", query: { by } };
  }
  if (by === undefined) {
    if (action === "show") return { method: "GET", path: "/lab/clock" };
    if (action === "freeze" || action === "resume") return { method: "POST", path: `/lab/clock/${action}` };
  }
  throw new Error("expected one of: show, advance DURATION, freeze, resume");
}

export function forkCall([action, name, ...more]: readonly string[]): ServerCall {
  refuseMore(more);
  if (action === "list" && name === undefined) return { method: "GET", path: "/lab/forks" };
  if (action === "start") {
    return { method: "POST", path: "/lab/forks", query: name === undefined ? {} : { snapshot: name } };
  }
  if (action === "stop" && name !== undefined) {
    return { method: "DELETE", path: `/lab/forks/${encodeURIComponent(name)}` };
  }
  throw new Error("expected one of: start [SNAPSHOT], list, stop NAME");
}

export async function historyCall(
  [resource, name, ...more]: readonly string[],
  {
    namespace = "default",
    undo,
    client,
  }: {
    readonly namespace?: string | undefined;
    readonly undo?: string | undefined;
    readonly client: ServerClient;
  },
): Promise<ServerCall> {
  refuseMore(more);
  if (resource === undefined || name === undefined) {
    throw new Error("expected RESOURCE NAME [-n NAMESPACE] [--undo REVISION]");
  }
  const path = await pathOfObject(client, { resource, namespace, name });
  if (undo === undefined) return { method: "GET", path: "/lab/history", query: { path } };
  return { method: "POST", path: "/lab/history", query: { path, undo } };
}

function refuseMore([extra]: readonly string[]): void {
  if (extra !== undefined) throw new Error(`one argument too many: ${JSON.stringify(extra)}`);
}
