/** Records the cost of lists. Must not throw. */
export interface ListObserver {
  /** A list examined `fetched` objects and returned `returned` of them. */
  listed?(fetched: number, returned: number): void;
  /** A stored value could not be decoded. */
  undecodable?(): void;
}
