import type { RequestInfo, UserInfo } from "../../apimachinery/request-info.js";

export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

export type Authorizer = (user: UserInfo, info: RequestInfo) => Promise<Decision> | Decision;

const allow: Decision = { allowed: true, reason: "" };

/** `--authorization-mode`: the first mode with an opinion decides. Members of system:masters may do everything. */
export function createAuthorizer(modes: readonly string[]): Authorizer {
  const decision = decide(modes);
  return (user) => (user.groups.includes("system:masters") ? allow : decision);
}

function decide(modes: readonly string[]): Decision {
  const [mode] = modes;
  if (mode === "AlwaysAllow") return allow;
  if (mode === "AlwaysDeny") return { allowed: false, reason: "Everything is forbidden." };
  throw new Error(`authorization mode ${mode} is not built`);
}
