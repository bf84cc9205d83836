import { minorOf } from "../../../apimachinery/levels/api-level.js";
import { noBlankItems, notNegative } from "../checks.js";
import { fileVerbosities, stringToString } from "../key-value-types.js";
import { optionGroup, withoutEffect } from "../option.js";
import { errorSeverity, severity } from "../severity.js";
import { bool, choice, custom, duration, int, strings, text } from "../value-types.js";

export const logging = optionGroup("Logging, metrics, profiling", {
  "logging-format": choice(["text"], {
    default: "text",
    help: "Format of the log. Only text is supported.",
  }),
  "log-flush-frequency": duration({
    default: "5s",
    help: "Maximum time between flushes of the log. Has no effect, because lines are written at once.",
    check: notNegative,
  }),
  v: int({
    shorthand: "v",
    help: "Log verbosity, from 0 (little) to 10 (everything).",
    check: notNegative,
  }),
  logtostderr: bool({
    until: "1.26",
    deprecatedSince: "1.24",
    default: true,
    help: "Deprecated, as are the other options for log files: log to standard error, and to no file.",
  }),
  alsologtostderr: bool({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Log to standard error in addition to files. Needs --logtostderr=false.",
  }),
  stderrthreshold: custom(severity, {
    until: "1.26",
    deprecatedSince: "1.24",
    default: errorSeverity,
    help: "Lowest severity that is logged to standard error in addition to files: INFO, WARNING, ERROR or FATAL, or a number from 0 to 3. Needs --logtostderr=false.",
  }),
  "log-dir": text({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Directory for log files, one per severity. Defaults to the directory for temporary files. Needs --logtostderr=false.",
  }),
  "log-file": text({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Single log file to use instead of a directory of files. Needs --logtostderr=false.",
  }),
  "log-file-max-size": int({
    until: "1.26",
    deprecatedSince: "1.24",
    default: 1800,
    help: "Maximum size of --log-file, in megabytes. A larger file is started anew. 0 means no limit.",
    check: notNegative,
  }),
  "one-output": bool({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Write each line only to the file of its own severity, and not also to those of lower severities. Needs --logtostderr=false.",
  }),
  "skip-headers": bool({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Omit severity and time from log lines.",
  }),
  "skip-log-headers": bool({
    until: "1.26",
    deprecatedSince: "1.24",
    help: "Omit the header at the top of log files.",
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
      help: "Would log a stack trace at a line of a source file. Has no effect.",
    }),
  ),
  vmodule: custom(fileVerbosities, {
    default: [],
    help: "Log verbosity of single source files, as pattern=N. A pattern is a glob that matches the file's name without extension or, if it contains a slash, its path below src: *-controller=4, serving/filters/*=6. Text format only.",
  }),
  "experimental-logging-sanitization": bool({
    until: "1.24",
    help: "Experimental: remove what looks like passwords, tokens and private keys from every log line. May slow the server considerably.",
  }),
  profiling: bool({
    default: true,
    help: "Serve profiles under /debug/pprof/, and the log verbosity at /debug/flags/v.",
  }),
  "contention-profiling": bool({
    help: "Serve /debug/pprof/block as well, when --profiling is on. It shows what blocked the event loop, for which requests contend in this server.",
  }),
  "enable-logs-handler": bool({
    default: true,
    later: { since: "1.31", default: false },
    deprecatedSince: "1.24",
    help: "Serve the files in /var/log under /logs/, to users who may get that path.",
  }),
  "disabled-metrics": strings({
    help: "Metrics to disable, by their full names. Takes precedence over --show-hidden-metrics-for-version.",
    check: noBlankItems,
  }),
  "show-hidden-metrics-for-version": text({
    help: "Previous minor version, as MAJOR.MINOR, whose hidden metrics are shown. At API level 1.23 these are the object counts under their former name.",
    check: (value, flag, level) => {
      const previous = `1.${minorOf(level) - 1}`;
      return value === previous
        ? undefined
        : `${flag} must be omitted or have the value '${previous}'. Only the previous minor version is allowed`;
    },
  }),
  "allow-metric-labels": custom(stringToString, {
    default: new Map(),
    help: "Allowed values of metric labels, as METRIC,LABEL=VALUE,VALUE. All other values are counted as unexpected.",
    check: (map, flag) => {
      const bad = [...map.keys()].find((key) => !/^[^,]+,[^,]+$/.test(key));
      return bad === undefined
        ? undefined
        : `${flag}: ${JSON.stringify(bad)} is not of the form METRIC,LABEL`;
    },
  }),
  "allow-metric-labels-manifest": text({
    since: "1.27",
    help: "YAML file with allowed values of metric labels, as METRIC,LABEL: VALUE,VALUE. --allow-metric-labels takes precedence.",
  }),
  "tracing-config-file": text({
    help: "File with a TracingConfiguration: the OTLP endpoint that receives the spans of requests, and the sampling rate. Needs the feature gate APIServerTracing.",
  }),
  version: bool({ help: "Print the version and exit." }),
  help: bool({ shorthand: "h", help: "Print this help and exit." }),
});
