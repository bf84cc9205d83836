import type { ClientRequest } from "node:http";

/** A server may announce its answer by some informational ones (status 1xx): each of an endless number would cost as much as a request. */
export const informationalAnswersMax = 16;
export const tooManyInformational = "too many 1xx informational responses";

/** Ends a call with more informational answers than that. */
export function limitInformational(call: ClientRequest): void {
  let count = 0;
  call.on("information", () => {
    count++;
    if (count === informationalAnswersMax + 1) call.destroy(new Error(tooManyInformational));
  });
}
