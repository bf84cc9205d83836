import type { Session } from "node:inspector";

/** Resolves with the answer of the inspector to what `send` posts. */
export function post<Answer = unknown>(
  send: (done: (error: Error | null, answer?: Answer) => void) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // The inspector's answer conforms to its protocol unless it is an error.
    send((error, answer) => (error === null ? resolve(answer as Answer) : reject(error)));
  });
}

/** Connects to the inspector of this thread while `work` runs. */
export async function withSession<R>(work: (session: Session) => Promise<R>): Promise<R> {
  const { Session: InspectorSession } = await import("node:inspector");
  const session = new InspectorSession();
  session.connect();
  try {
    return await work(session);
  } finally {
    session.disconnect();
  }
}
