export type LabCommand = "snapshot" | "clock" | "fork" | "history";

const labCommands: ReadonlySet<string> = new Set<LabCommand>(["snapshot", "clock", "fork", "history"]);

export function isLabCommand(name: string | undefined): name is LabCommand {
  return name !== undefined && labCommands.has(name);
}
