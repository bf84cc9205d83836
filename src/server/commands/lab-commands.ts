export const labCommands = ["snapshot", "clock", "fork", "history"] as const;
export type LabCommand = (typeof labCommands)[number];
