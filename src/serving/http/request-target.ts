/** A request target, split at the first question mark; nothing is decoded. */
export interface RequestTarget {
  readonly target: string;
  readonly path: string;
  readonly query: string;
}

/** `target` may be in absolute form (`https://host/path`), as clients of proxies send it. */
export function parseTarget(sent: string): RequestTarget {
  const target = !sent.startsWith("/") && /^https?:\/\//i.test(sent) ? withoutOrigin(sent) : sent;
  const mark = target.indexOf("?");
  if (mark < 0) return { target, path: target, query: "" };
  return { target, path: target.slice(0, mark), query: target.slice(mark + 1) };
}

function withoutOrigin(absolute: string): string {
  const rest = absolute.slice(absolute.indexOf("//") + 2);
  const end = rest.search(/[/?]/);
  if (end < 0) return "/";
  return rest[end] === "/" ? rest.slice(end) : `/${rest.slice(end)}`;
}
