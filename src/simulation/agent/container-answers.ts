import { isSidecar } from "../../apis/core/pod-spec/containers.js";
import type { Container, Pod } from "../../apis/gen/core-v1.js";
import type { BehaviourRules } from "../behaviour/behaviour-rules.js";
import type { ContainerSettings } from "../behaviour/behaviour-spec.js";
import { annotationPrefix, type ContainerKind, containerSetting } from "../behaviour/container-behaviour.js";

/** The answer to a command in a container. */
export interface CommandAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A container of a pod, and its behaviour. */
export interface AskedContainer {
  readonly pod: Pod;
  readonly container: string;
  readonly rules: BehaviourRules;
}

function said({ pod, container, rules }: AskedContainer, what: keyof ContainerSettings): string | undefined {
  const [found, kind] = containerOf(pod, container);
  return containerSetting(pod, found, kind, what, rules);
}

function containerOf({ spec }: Pod, wanted: string): [Pick<Container, "name" | "image">, ContainerKind] {
  const isWanted = ({ name }: { readonly name: string }): boolean => name === wanted;
  const initial = spec.initContainers?.find(isWanted);
  if (initial !== undefined) return [initial, isSidecar(initial) ? "sidecar" : "init"];
  const ephemeral = spec.ephemeralContainers?.find(isWanted);
  if (ephemeral !== undefined) return [ephemeral, "ephemeral"];
  return [spec.containers?.find(isWanted) ?? { name: wanted }, "regular"];
}

export function writtenLines(asked: AskedContainer): readonly string[] {
  const text = said(asked, "logs") ?? "";
  return text.split("\n").filter((line, index, all) => line !== "" || index < all.length - 1);
}

/**
 * The setting `exec`: a JSON object with an answer for each command, or for `*`. An answer is what the command prints, or an object with
 * `stdout`, `stderr` and `exitCode`.
 */
export function commandAnswer(asked: AskedContainer, command: readonly string[]): CommandAnswer {
  const unknown: CommandAnswer = {
    stdout: "",
    stderr: `${command[0] ?? ""}: not found: neither the annotation ${annotationPrefix}exec nor a rule has an answer for it\n`,
    exitCode: 127,
  };
  const answers = parsed(said(asked, "exec"));
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
