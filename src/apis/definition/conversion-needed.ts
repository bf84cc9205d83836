/**
 * Thrown when an object is needed in another version that only a remote call can produce. The caller awaits `obtain` and retries; the
 * converted object is then available. Kinds converted in code never throw it.
 */
export class ConversionNeeded extends Error {
  override readonly name = "ConversionNeeded";
  readonly obtain: (signal: AbortSignal) => Promise<void>;

  constructor(obtain: (signal: AbortSignal) => Promise<void>) {
    super("a conversion is needed");
    this.obtain = obtain;
  }
}
