import type { RequestContext } from "../request/request-context.js";
import type { AnswerBudget } from "./answer-budget.js";
import { type Negotiated, prettyAsked, type Transform } from "./negotiator.js";
import { sendPieces } from "./send-pieces.js";

/** Where an answer goes, and in which form. */
export interface Answer {
  readonly context: RequestContext;
  readonly negotiated: Negotiated;
}

/** What all answers of a server are sent by. */
export interface AnswerTerms {
  readonly answers: AnswerBudget;
  /** The gate APIResponseCompression. */
  readonly compress: boolean;
}

/** Answers to one user take turns with those to others. */
export function flowOf({ context }: Answer): string | undefined {
  return context.user?.name;
}

export function isPretty({ context, negotiated }: Answer): boolean {
  return negotiated.pretty || prettyAsked(context.exchange.query, context.exchange.headers["user-agent"]);
}

/** Of the metadata or table that a client asks for. */
export function apiVersionOf(transform: Transform): string {
  return `${transform.group}/${transform.version}`;
}

export interface MadeBody {
  readonly status: number;
  readonly pieces: Iterable<Uint8Array | Promise<Uint8Array>>;
  /** Of the whole body, if it is known in advance. */
  readonly length?: number | undefined;
}

/** Sends what is made as the client takes it; see `sendPieces`. */
export function sendMade(answer: Answer, body: MadeBody, { answers, compress }: AnswerTerms): Promise<void> {
  const { exchange, signal } = answer.context;
  const headers = { "Content-Type": answer.negotiated.contentType };
  return sendPieces(exchange, { ...body, headers, compress, signal, answers, flow: flowOf(answer) });
}
