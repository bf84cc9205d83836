/** Whether the command line or `NODE_OPTIONS` sets this option of V8. */
export function isGiven(option) {
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(/\s+/)];
  return given.some((one) => one.replaceAll("_", "-").split("=", 1)[0] === option);
}
