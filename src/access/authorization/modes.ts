import type { Authorizer } from "../../apimachinery/authorizer.js";
import { alwaysAllow, alwaysDeny, privilegedGroup } from "./fixed-authorizers.js";
import { authorizerUnion } from "./union.js";

/** `--authorization-mode`: the modes in order, behind members of system:masters, who may do everything. */
export function createAuthorizer(modes: readonly string[]): Authorizer {
  return authorizerUnion([privilegedGroup("system:masters"), ...modes.map(authorizerOf)]);
}

function authorizerOf(mode: string): Authorizer {
  switch (mode) {
    case "AlwaysAllow":
      return alwaysAllow;
    case "AlwaysDeny":
      return alwaysDeny;
    default:
      throw new Error(`authorization mode ${mode} is not built`);
  }
}
