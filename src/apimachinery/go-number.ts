/** A float as Kubernetes prints it in messages (`%v`): `10`, `0.5`, `1e+06`. */
export function floatText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  // The shortest form has an exponent from a million on, unless it is a fraction with as many digits.
  const count = mantissa.replace(/[-.]/g, "").length;
  if (exponent >= -4 && exponent < (count > exponent + 1 ? Math.max(count, 6) : 6)) return String(value);
  const digits = String(Math.abs(exponent)).padStart(2, "0");
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
}
