import type { Pod } from "../../apis/gen/core-v1.js";
import { annotationPrefix } from "../pods/behaviour.js";

/** What a command in a container answers. */
export interface CommandAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

function annotation({ metadata }: Pod, container: string, name: string): string | undefined {
  const annotations = metadata.annotations ?? {};
  return annotations[`${annotationPrefix}${container}.${name}`] ?? annotations[`${annotationPrefix}${name}`];
}

/** What the container has written, as `simulation.orch.io/logs` says; `tail`: only so many lines of it. */
export function containerLog(pod: Pod, container: string, tail: number | undefined): string {
  const text = annotation(pod, container, "logs") ?? "";
  const lines = text.split("\n").filter((line, index, all) => line !== "" || index < all.length - 1);
  const shown = tail === undefined ? lines : lines.slice(Math.max(0, lines.length - tail));
  return shown.map((line) => `${line}\n`).join("");
}

/**
 * What `simulation.orch.io/exec` says: a JSON object with an answer for each command, or for `*`. An answer is what the command prints, or an
 * object with `stdout`, `stderr` and `exitCode`.
 */
export function commandAnswer(pod: Pod, container: string, command: readonly string[]): CommandAnswer {
  const unknown: CommandAnswer = {
    stdout: "",
    stderr: `${command[0] ?? ""}: not found: the annotation ${annotationPrefix}exec has no answer for it\n`,
    exitCode: 127,
  };
  const answers = parsed(annotation(pod, container, "exec"));
  const line = command.join(" ");
  const answer = Object.hasOwn(answers, line) ? answers[line] : answers["*"];
  if (typeof answer === "string") return { stdout: answer, stderr: "", exitCode: 0 };
  if (typeof answer !== "object" || answer === null) return unknown;
  const { stdout, stderr, exitCode } = answer as Record<string, unknown>;
  return {
    stdout: typeof stdout === "string" ? stdout : "",
    stderr: typeof stderr === "string" ? stderr : "",
    exitCode: typeof exitCode === "number" ? exitCode : 0,
  };
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
