import { badRequest, methodNotAllowed } from "../../apimachinery/errors/status.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";

/** Base path of the lab. Rules for non-resource paths decide who may use it. */
export const labPath = "/lab";

type Answer = JsonObject | Promise<JsonObject>;
/** By method; `rest` is what `*` matched. */
export type LabHandlers = Readonly<Record<string, (context: RequestContext, rest: string) => Answer>>;

/** `path`: below the lab's, with a `*` at its end for everything that begins with it. A `RangeError` of a handler is a bad request. */
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
