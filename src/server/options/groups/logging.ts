import { noBlankItems, notNegative } from "../checks.js";
import { fileVerbosities, stringToString } from "../key-value-types.js";
import { optionGroup } from "../option.js";
import { bool, choice, custom, duration, int, strings, text } from "../value-types.js";

export const logging = optionGroup("Logging, metrics, profiling", {
  "logging-format": choice(["text"], {
    default: "text",
    help: "Form of the log lines. Only text is permitted.",
  }),
  "log-flush-frequency": duration({
    default: "5s",
    help: "Longest time that log lines are held back. They are written at once, which is sooner.",
    check: notNegative,
  }),
  v: int({
    shorthand: "v",
    help: "How much to log: 0 is little, 10 is everything.",
    check: notNegative,
  }),
  vmodule: custom(fileVerbosities, {
    default: [],
    help: "How much to log in single source files, as pattern=N. Text format only.",
    notYet: "log levels of single files",
  }),
  "experimental-logging-sanitization": bool({
    help: "Experimental: keep sensitive fields out of the log. May cost a lot.",
    notYet: "sanitizing the log",
  }),
  profiling: bool({ default: true, help: "Serve profiles under /debug/pprof/." }),
  "contention-profiling": bool({
    help: "Profile lock contention too, when profiling is on.",
    notYet: "contention profiles",
  }),
  "disabled-metrics": strings({
    help: "Metrics to leave out, by their full names. Wins over showing hidden metrics.",
    check: noBlankItems,
  }),
  "show-hidden-metrics-for-version": text({
    help: "Previous minor version, as MAJOR.MINOR, whose hidden metrics are shown. This server hides none.",
    check: (value, flag) =>
      value === "1.22"
        ? undefined
        : `${flag} must be omitted or have the value '1.22'. Only the previous minor version is allowed`,
  }),
  "allow-metric-labels": custom(stringToString, {
    default: new Map(),
    help: "Values that labels of metrics may have, as METRIC,LABEL=VALUE,VALUE. Others are counted together, as unexpected.",
    check: (map, flag) => {
      const bad = [...map.keys()].find((key) => !/^[^,]+,[^,]+$/.test(key));
      return bad === undefined
        ? undefined
        : `${flag}: ${JSON.stringify(bad)} is not of the form METRIC,LABEL`;
    },
  }),
  "tracing-config-file": text({
    help: "Configuration file of tracing.",
    notYet: "tracing",
  }),
  version: bool({ help: "Print the version and exit." }),
  help: bool({ shorthand: "h", help: "Print this help and exit." }),
});
