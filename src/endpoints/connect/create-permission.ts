import { accessRefusal } from "../../apimachinery/requests/access-refusal.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { ConnectHandler } from "./connect-handler.js";

/**
 * Allows a connection only to those who may create it, whatever its method: a WebSocket is opened by GET, for which read permission would
 * suffice.
 */
export function withCreatePermission(authorizer: Authorizer, handler: ConnectHandler): ConnectHandler {
  return async (request) => {
    const { user, signal } = request;
    const info = { ...request.info, verb: "create" };
    if (request.info.verb !== info.verb) {
      const decision = await authorizer.authorize({ user, info, signal });
      if (decision.kind !== "allow") throw accessRefusal(user, info, decision);
    }
    return await handler(request);
  };
}
