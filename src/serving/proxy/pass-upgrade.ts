import { loopTurns } from "../../event-loop/loop-turns.js";
import { endInTurn } from "../http/end-in-turn.js";
import type { HttpExchange } from "../http/exchange.js";
import { isRedirect, refuseRedirect } from "./answer-passing.js";
import { responseHeaders } from "./forward-headers.js";
import { joinConnections } from "./joined-connections.js";
import { passBody } from "./pass-answer.js";
import { locationOf } from "./proxied-path.js";
import { switchingProtocols } from "./upgrade-headers.js";
import type { Dial } from "./upstream.js";
import { type Call, call, unclassified } from "./upstream-call.js";

export interface UpgradeTerms {
  /** Bytes per second of upgraded connections, in each direction; 0 for no limit. */
  readonly bytesPerSecondMax: number;
  /** Undefined connects directly. */
  readonly dial: Dial | undefined;
}

/** Joins the client and the other server once they have agreed on a protocol. */
export async function passUpgrade(
  exchange: HttpExchange,
  request: Call,
  { bytesPerSecondMax, dial }: UpgradeTerms,
  rejectRedirects = false,
): Promise<void> {
  const answer = await call(request, { method: exchange.method }, dial);
  const { response } = answer;
  const status = response.statusCode ?? 0;
  if (answer.kind === "response") {
    if (status < 400) {
      response.destroy();
      if (rejectRedirects && isRedirect(status, locationOf(response))) return refuseRedirect(exchange);
      throw unclassified(`invalid upgrade response: status code ${status}`);
    }
    return await passBody(exchange, response, status, responseHeaders(response));
  }
  const { socket, head } = exchange.upgrade();
  const other = answer.socket;
  endInTurn(other, loopTurns.ends);
  socket.write(switchingProtocols(response));
  if (answer.head.length > 0) socket.write(answer.head);
  if (head.length > 0) other.write(head);
  await joinConnections(socket, other, request.signal, bytesPerSecondMax);
}
