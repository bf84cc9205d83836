import { minorOf } from "../../../apimachinery/levels/api-level.js";
import { noBlankItems, notNegative } from "../checks.js";
import { fileVerbosities, stringToString } from "../key-value-types.js";
import { optionGroup, withoutEffect } from "../option.js";
import { errorSeverity, severity } from "../severity.js";
import { bool, choice, custom, duration, int, strings, text } from "../value-types.js";

export const logging = optionGroup("Logging, metrics, profiling", {
  "logging-format": choice(["text"], {
    default: "text",
    help: "Form of the log lines. Only text is permitted.",
  }),
  "log-flush-frequency": duration({
    default: "5s",
    help: "Longest time that log lines are held back. Has no effect, because lines are written at once.",
    check: notNegative,
  }),
  v: int({
    shorthand: "v",
    help: "How much to log: 0 is little, 10 is everything.",
    check: notNegative,
  }),
  logtostderr: bool({
    until: "1.26",
    deprecatedSince: "1.24",
    default: true,
    help: "Log to standard error, and to no file. Deprecated, like the other options of log files.",
  }),
  alsologtostderr: bool({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Log to standard error as well as to files. Needs --logtostderr=false.",
  }),
  stderrthreshold: custom(severity, {
    until: "1.26",
    deprecatedSince: "1.24",
    default: errorSeverity,
    help: "Lowest severity that goes to standard error as well as to files: INFO, WARNING, ERROR or FATAL, or its number. Needs --logtostderr=false.",
  }),
  "log-dir": text({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Directory of log files, one for each severity; when not given, that of temporary files. Needs --logtostderr=false.",
  }),
  "log-file": text({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "The one log file, instead of those in a directory. Needs --logtostderr=false.",
  }),
  "log-file-max-size": int({
    until: "1.26",
    deprecatedSince: "1.24",
    default: 1800,
    help: "Megabytes after which --log-file starts anew. 0 means no limit.",
    check: notNegative,
  }),
  "one-output": bool({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Write a line only to the file of its severity, and not to those of lower ones too. Needs --logtostderr=false.",
  }),
  "skip-headers": bool({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Leave severity and time out of the log lines.",
  }),
  "skip-log-headers": bool({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Begin log files without the lines that say what they are.",
  }),
  "add-dir-header": withoutEffect(
    bool({
      until: "1.26",
      deprecatedSince: "1.24",
      help: "Would add the directory of the source file to log lines. Has no effect.",
    }),
  ),
  "log-backtrace-at": withoutEffect(
    text({
      until: "1.26",
      deprecatedSince: "1.24",
      default: ":0",
      help: "Would log a stack at a line of a source file. Has no effect.",
    }),
  ),
  vmodule: custom(fileVerbosities, {
    default: [],
    help: "How much to log in single source files, as pattern=N. A pattern is a glob of the file's name without extension, or with a slash of its path below src: *-controller=4, serving/filters/*=6. Text format only.",
  }),
  "experimental-logging-sanitization": bool({
    until: "1.24",
    help: "Experimental: take what looks like passwords, tokens and private keys out of every log line. May cost a lot.",
  }),
  profiling: bool({
    default: true,
    help: "Serve profiles under /debug/pprof/, and the level of the log at /debug/flags/v.",
  }),
  "contention-profiling": bool({
    help: "Serve /debug/pprof/block too, when profiling is on: what held the event loop, which is what requests contend for here.",
  }),
  "enable-logs-handler": bool({
    default: true,
    later: { since: "1.31", default: false },
    deprecatedSince: "1.24",
    help: "Serve the files below /var/log under /logs/, to users who may get that path.",
  }),
  "disabled-metrics": strings({
    help: "Metrics to leave out, by their full names. Wins over showing hidden metrics.",
    check: noBlankItems,
  }),
  "show-hidden-metrics-for-version": text({
    help: "Previous minor version, as MAJOR.MINOR, whose hidden metrics are shown: at API level 1.23 the counts of objects under their former name.",
    check: (value, flag, level) => {
      const previous = `1.${minorOf(level) - 1}`;
      return value === previous
        ? undefined
        : `${flag} must be omitted or have the value '${previous}'. Only the previous minor version is allowed`;
    },
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
  "allow-metric-labels-manifest": text({
    since: "1.27",
    help: "File with the same as --allow-metric-labels, which wins, as YAML: METRIC,LABEL: VALUE,VALUE.",
  }),
  "tracing-config-file": text({
    help: "File with the TracingConfiguration: where spans of requests are sent by OTLP, and of how many requests. Needs the gate APIServerTracing.",
  }),
  version: bool({ help: "Print the version and exit." }),
  help: bool({ shorthand: "h", help: "Print this help and exit." }),
});
