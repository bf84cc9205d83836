/** Why Go's `netip.ParseAddr` refuses a text; undefined where it does not. */
export function addressProblem(text: string): string | undefined {
  const sign = /[.:%]/.exec(text)?.[0];
  const found =
    sign === "."
      ? ofVersion4(text)
      : sign === ":"
        ? ofVersion6(text)
        : { what: sign === "%" ? "missing IPv6 address" : "unable to parse IP" };
  if (found === undefined) return undefined;
  const at = found.at === undefined ? "" : ` (at ${JSON.stringify(found.at)})`;
  return `ParseAddr(${JSON.stringify(text)}): ${found.what}${at}`;
}

/** Why Go's `netip.ParsePrefix` refuses a text; undefined where it does not. */
export function prefixProblem(text: string): string | undefined {
  const what = prefixProblemOf(text);
  return what === undefined ? undefined : `netip.ParsePrefix(${JSON.stringify(text)}): ${what}`;
}

function prefixProblemOf(text: string): string | undefined {
  const slash = text.lastIndexOf("/");
  if (slash < 0) return "no '/'";
  const address = text.slice(0, slash);
  const problem = addressProblem(address);
  if (problem !== undefined) return problem;
  if (address.includes("%")) return "IPv6 zones cannot be present in a prefix";
  const length = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d{1,17})$/.test(length)) return `bad bits after slash: ${JSON.stringify(length)}`;
  return Number(length) > (address.includes(":") ? 128 : 32) ? "prefix length out of range" : undefined;
}

interface Problem {
  readonly what: string;
  /** The rest of the text where it was found. */
  readonly at?: string;
}

function ofVersion4(text: string): Problem | undefined {
  let fields = 1;
  let field = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (/\d/.test(sign)) {
      if (field === "0") return { what: "IPv4 field has octet with leading zero" };
      field += sign;
      if (Number(field) > 255) return { what: "IPv4 field has value >255" };
    } else if (sign === ".") {
      if (field === "" || at === text.length - 1) {
        return { what: "IPv4 field must have at least one digit", at: text.slice(at) };
      }
      if (fields === 4) return { what: "IPv4 address too long" };
      fields++;
      field = "";
    } else return { what: "unexpected character", at: text.slice(at) };
  }
  return fields < 4 ? { what: "IPv4 address too short" } : undefined;
}

function ofVersion6(text: string): Problem | undefined {
  const percent = text.indexOf("%");
  if (percent === text.length - 1) return { what: "zone must be a non-empty string" };
  const groups = new GroupsOfVersion6(percent < 0 ? text : text.slice(0, percent));
  while (groups.hasNext) {
    const problem = groups.readNext();
    if (problem !== undefined) return problem;
  }
  return groups.problemAtEnd();
}

/** Reads a version 6 address from the left, group by group. */
class GroupsOfVersion6 {
  #rest: string;
  /** Whether there was a `::`. */
  #hasGap: boolean;
  #bytes = 0;

  constructor(address: string) {
    this.#hasGap = address.startsWith("::");
    this.#rest = this.#hasGap ? address.slice(2) : address;
  }

  get hasNext(): boolean {
    return this.#rest !== "" && this.#bytes < 16;
  }

  readNext(): Problem | undefined {
    const rest = this.#rest;
    const digits = /^[\da-f]*/i.exec(rest)?.[0].length ?? 0;
    if (digits > 4) return { what: "each group must have 4 or fewer digits", at: rest };
    if (digits === 0) return { what: "each colon-separated field must have at least one digit", at: rest };
    if (rest[digits] === ".") return this.#readVersion4();
    this.#bytes += 2;
    this.#rest = rest.slice(digits);
    return this.#rest === "" ? undefined : this.#readColons();
  }

  problemAtEnd(): Problem | undefined {
    if (this.#rest !== "") return { what: "trailing garbage after address", at: this.#rest };
    if (this.#bytes < 16) return this.#hasGap ? undefined : { what: "address string too short" };
    return this.#hasGap ? { what: "the :: must expand to at least one field of zeros" } : undefined;
  }

  /** The rest is a version 4 address, in place of the last two groups. */
  #readVersion4(): Problem | undefined {
    const rest = this.#rest;
    if (!this.#hasGap && this.#bytes !== 12) {
      return { what: "embedded IPv4 address must replace the final 2 fields of the address", at: rest };
    }
    if (this.#bytes > 12) {
      return { what: "too many hex fields to fit an embedded IPv4 at the end of the address", at: rest };
    }
    this.#rest = "";
    this.#bytes += 4;
    return ofVersion4(rest);
  }

  #readColons(): Problem | undefined {
    const rest = this.#rest;
    if (!rest.startsWith(":")) return { what: "unexpected character, want colon", at: rest };
    if (rest === ":") return { what: "colon must be followed by more characters", at: rest };
    this.#rest = rest.slice(1);
    if (!this.#rest.startsWith(":")) return undefined;
    if (this.#hasGap) return { what: "multiple :: in address", at: this.#rest };
    this.#hasGap = true;
    this.#rest = this.#rest.slice(1);
    return undefined;
  }
}
