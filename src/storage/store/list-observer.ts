/** Where lists tell what they cost. Must not throw. */
export interface ListObserver {
  /** A list looked at `fetched` objects and answered with `returned` of them. */
  listed?(fetched: number, returned: number): void;
}
