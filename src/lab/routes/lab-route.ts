import { badRequest, methodNotAllowed } from "../../apimachinery/errors/status.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";

/** Where the lab answers. Who may ask is a matter of rules for paths that are no resources. */
export const labPath = "/lab";

type Answer = JsonObject | Promise<JsonObject>;
/** By method; `rest` is what a path with `*` matched there. */
export type LabHandlers = Readonly<Record<string, (context: RequestContext, rest: string) => Answer>>;

/** `path`: below that of the lab, with a `*` at its end for all that begins with it. A `RangeError` of a handler is a bad request. */
export function labRoute(path: string, handlers: LabHandlers): Route {
  const full = `${labPath}${path}`;
  return {
    path: full,
    listed: !full.endsWith("*"),
    handle: async (context) => {
      const handler = handlers[context.exchange.method];
      if (handler === undefined) throw methodNotAllowed();
      try {
        const rest = full.endsWith("*") ? context.path.slice(full.length - 1) : "";
        const text = printJson(await handler(context, rest), { indent: "  " });
        context.exchange.respond(200, { "Content-Type": "application/json" }, `${text}\n`);
      } catch (error) {
        if (error instanceof RangeError) throw badRequest(error.message, error);
        throw error;
      }
    },
  };
}
