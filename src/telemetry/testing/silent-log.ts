import { LogLevels } from "../log-levels.js";
import type { Logger } from "../logger.js";

export const silentLog: Logger = {
  levels: new LogLevels(0),
  info() {},
  warn() {},
  error() {},
  verbose() {},
};
