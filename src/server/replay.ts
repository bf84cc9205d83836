import type { RecordingText } from "../lab/recording/read-recording.js";
import { type ReplayReport, replayRecording } from "../lab/recording/replay.js";
import { type ClientConfig, ClientConfigFile } from "../remote/client-config.js";
import { RemoteClient } from "../remote/remote-client.js";

export interface ReplayPlace {
  /** Text of a client configuration whose user may impersonate those of the recording: an administrator's. */
  readonly kubeconfig: string;
}

/**
 * Sends the requests of a recording (a text or its pieces) to a server in order, each as the user who sent it, and reports which answers
 * differ, apart from uids, times and versions. Rejects with a `SyntaxError` for a text that is not a recording.
 */
export async function replay(recording: RecordingText, { kubeconfig }: ReplayPlace): Promise<ReplayReport> {
  const file = await ClientConfigFile.parse("kubeconfig", Buffer.from(kubeconfig));
  return await replayAs(recording, await file.current());
}

const callMs = 60_000;
const answerBytesMax = 64 * 1024 * 1024;

/** By the credentials of a client configuration. */
export async function replayAs(
  recording: RecordingText,
  { server, identity }: ClientConfig,
): Promise<ReplayReport> {
  const clients = new Map<string, RemoteClient>();
  try {
    return await replayRecording(recording, {
      async ask({ method, target, body, headers, user }) {
        const key = JSON.stringify(user);
        const impersonation = [
          ["Impersonate-User", user.name] as const,
          ...user.groups.map((group) => ["Impersonate-Group", group] as const),
        ];
        const client =
          clients.get(key) ??
          new RemoteClient({ server, identity: { ...identity, impersonation }, connectionsMax: 1 });
        clients.set(key, client);
        const [path = "", query = ""] = target.split("?", 2);
        const answer = await client.request({
          method,
          path,
          query: Object.fromEntries(new URLSearchParams(query)),
          headers,
          body: body ?? "",
          timeoutMs: callMs,
          answerBytesMax,
        });
        return { status: answer.status, text: answer.body.toString("utf8") };
      },
    });
  } finally {
    await Promise.all([...clients.values()].map((client) => client.close()));
  }
}
