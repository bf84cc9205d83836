import { hasErrorTextsOf } from "../errors/error-texts.js";
import { byteLength, maxLengthMessage } from "./messages.js";

const portNameMaxLength = 15;

/** A service name as IANA registers them (RFC 6335), in lower case only. */
export function isValidPortName(name: string): string[] {
  const problems: string[] = [];
  if (byteLength(name) > portNameMaxLength) problems.push(maxLengthMessage(portNameMaxLength));
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(name))
    problems.push(
      `must contain at least one letter ${hasErrorTextsOf(25) ? "(a-z)" : "or number (a-z, 0-9)"}`,
    );
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
}
