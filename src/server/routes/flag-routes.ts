import { quotedShortened } from "../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { int32, parseDecimal, uint32 } from "../../apimachinery/values/decimal-integer.js";
import type { HttpExchange } from "../../serving/http/exchange.js";
import { readBytes } from "../../serving/request/read-body.js";
import type { Route } from "../../serving/routing/router.js";
import type { LogLevels } from "../../telemetry/log-levels.js";
import { startOf } from "../../telemetry/logger.js";

const prefix = "/debug/flags";
/** The flag that clients may change. */
const verbosity = "v";

/**
 * `--profiling`: the options that can be changed at run time. `PUT /debug/flags/v` with a number sets the log level. Source:
 * k8s.io/apiserver `pkg/server/routes/flags.go`.
 */
export function flagRoutes(levels: LogLevels, level: ApiLevel): Route[] {
  const index = async ({ exchange }: { readonly exchange: HttpExchange }) => respondIndex(exchange);
  return [
    { path: prefix, listed: false, handle: index },
    { path: `${prefix}/*`, listed: false, handle: index },
    {
      path: `${prefix}/${verbosity}`,
      listed: false,
      async handle({ exchange }) {
        if (exchange.method !== "PUT") return respondText(exchange, 406, "unsupported http method");
        const text = Buffer.from(await readBytes(exchange)).toString("utf8");
        const value = parseVerbosity(text, level);
        if (typeof value === "string") return respondText(exchange, 400, value);
        levels.set(value);
        respondText(exchange, 200, `successfully set klog.logging.verbosity to ${text}`);
      },
    },
  ];
}

/** The level, or what is wrong with the text. */
function parseVerbosity(text: string, level: ApiLevel): number | string {
  if (isAtLeast(level, "1.26")) {
    const unsigned = parseDecimal(text, uint32);
    if (typeof unsigned === "string")
      return `strconv.ParseUint: parsing ${quotedShortened(text)}: ${unsigned}`;
  }
  const value = parseDecimal(text, int32);
  if (typeof value !== "string") return Number(value);
  return `failed set klog.logging.verbosity ${startOf(text)}: strconv.ParseInt: parsing ${quotedShortened(text)}: ${value}`;
}

function respondIndex(exchange: HttpExchange): void {
  const page = `<html>
<head>
<title>${prefix}/</title>
</head>
<body>
<h1>${prefix}/</h1>
<p>PUT a number to ${prefix}/${verbosity} to set --${verbosity}, the level of the log.</p>
</body>
</html>
`;
  exchange.respond(200, { "Content-Type": "text/html; charset=utf-8" }, page);
}

function respondText(exchange: HttpExchange, code: number, text: string): void {
  const headers = { "Content-Type": "text/plain", "X-Content-Type-Options": "nosniff" };
  exchange.respond(code, headers, `${text}\n`);
}
