/** A rule: which requests it hits, how often, and what happens to them. The spec of a `Fault` object, and what the library takes. */
export interface FaultSpec {
  /** Every condition that is given must hold. Default: every request for a resource. */
  readonly match?: FaultMatch | undefined;
  readonly when?: FaultFrequency | undefined;
  readonly effect: FaultEffect;
}

/** Lists hold alternatives; a `*` in one stands for any characters. */
export interface FaultMatch {
  readonly users?: readonly string[] | undefined;
  readonly userAgents?: readonly string[] | undefined;
  /** Such as `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verbs?: readonly string[] | undefined;
  /** Empty for the core group. */
  readonly groups?: readonly string[] | undefined;
  /** `pods`, `pods/status`, or `pods/*`. */
  readonly resources?: readonly string[] | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  /** Labels of the named object, as it is stored. */
  readonly labelSelector?: string | undefined;
  /** Admission webhooks by name, for `webhookDelay` only. */
  readonly webhooks?: readonly string[] | undefined;
}

/** Which of the matching requests are hit; all that is given must hold. Default: each one. */
export interface FaultFrequency {
  /** Only this one, counted from 1. */
  readonly nth?: number | undefined;
  /** Every so many. */
  readonly every?: number | undefined;
  /** A fraction between 0 and 1 of the matching requests, chosen by the seed: always the same ones. */
  readonly share?: number | undefined;
  readonly seed?: number | undefined;
  /** No more after this many hits. */
  readonly times?: number | undefined;
}

/** `delay` applies first; only one of the others may be set. */
export interface FaultEffect {
  /** Waits, such as `2s`; in a watch, before each delivery. */
  readonly delay?: string | undefined;
  readonly status?: FaultStatus | undefined;
  /** Cuts the connection of the request: before anything is done, or when it is committed. */
  readonly cut?: "Before" | "AfterCommit" | undefined;
  readonly watch?: WatchFault | undefined;
  /**
   * A get or list that allows it shows the state of this many revisions ago; a watch that may begin with an old state does so, and
   * repeats the events since. Other requests are not hit.
   */
  readonly staleBy?: number | undefined;
  /** 429, as when the queue of a priority level is full. */
  readonly queueFull?: boolean | undefined;
  /** 401, as when the token of the client has expired. */
  readonly tokenExpired?: boolean | undefined;
  /** Webhooks answer this much later, such as `12s`. */
  readonly webhookDelay?: string | undefined;
}

export interface FaultStatus {
  readonly code: 409 | 410 | 429 | 500 | 503 | 504;
  readonly message?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export interface WatchFault {
  /** How it ends: as if its time were over, or with the error 410. Unset: it continues, with `delay`. */
  readonly end?: "Close" | "Expired" | undefined;
  /** After this many events; default at once. */
  readonly afterEvents?: number | undefined;
}
