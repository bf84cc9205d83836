import { execFile } from "node:child_process";

export interface ClientRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ClientOptions {
  readonly kubeconfig: string;
  /** Standard input. */
  readonly input?: string;
  /** Its own home keeps the discovery caches of servers apart. */
  readonly home: string;
  readonly timeoutMs?: number;
  /** The client is stopped once it has printed this: for commands that do not end. */
  readonly until?: RegExp;
  /** Variables to add to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs kubectl or Helm to its end; a failure is a status, not an exception. */
export function runClient(
  binary: string,
  args: readonly string[],
  options: ClientOptions,
): Promise<ClientRun> {
  return new Promise((resolve) => {
    const child = execFile(
      binary,
      args,
      {
        env: { PATH: process.env.PATH, HOME: options.home, KUBECONFIG: options.kubeconfig, ...options.env },
        timeout: options.timeoutMs ?? 60_000,
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ status, stdout, stderr });
      },
    );
    const { until } = options;
    let printed = "";
    if (until !== undefined) {
      child.stdout?.on("data", (text: string) => {
        printed += text;
        if (until.test(printed)) child.kill();
      });
    }
    // A client that fails may end before it has read its input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input ?? "");
  });
}
