/** A request that a client might send to hold up the server. */
export interface HostileRequest {
  /** Requests of one kind are one line of the table: `json-patch add`. */
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Many headers that differ, in place of a record. */
  readonly headerList?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array | undefined;
  readonly http?: "1" | "2" | undefined;
  /** Sent without the administrator's certificate. */
  readonly anonymous?: boolean | undefined;
  /** The client hangs up after this many milliseconds. */
  readonly leaveAfterMs?: number | undefined;
}

export type Outcome =
  | { readonly kind: "answered"; readonly status: number; readonly bytes: number; readonly text: string }
  /** The connection or stream ended without a whole answer. */
  | { readonly kind: "cut"; readonly why: string }
  | { readonly kind: "hung" };

export function describeRequest({ kind, method, path, headers, body }: HostileRequest): string {
  const type = headers?.["content-type"];
  const size =
    body === undefined ? "" : ` ${body.length} bytes ${JSON.stringify(String(body.slice(0, 300)))}`;
  return `${kind}: ${method} ${path.slice(0, 300)}${typeof type === "string" ? ` ${type}` : ""}${size}`;
}

/** A request with a JSON body. */
export function json(
  kind: string,
  method: string,
  path: string,
  body: unknown,
  type = "application/json",
): HostileRequest {
  return { kind, method, path, headers: { "content-type": type }, body: JSON.stringify(body) };
}

export function range<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function record<T>(count: number, make: (index: number) => readonly [string, T]): Record<string, T> {
  return Object.fromEntries(range(count, make));
}
