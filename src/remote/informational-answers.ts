import type { ClientRequest } from "node:http";

/** A server may send informational answers (status 1xx) before its answer. Each costs as much as a request, so their number is limited. */
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
