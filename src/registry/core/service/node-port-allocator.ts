import { append } from "../../../apimachinery/collections/append.js";
import { AllocationError, rangeFullMessage } from "./cluster-ip-allocator.js";
import type { RangeAllocator } from "./range-allocator.js";

/** Inclusive at both ends. */
export interface PortRange {
  readonly min: number;
  readonly max: number;
}

export function portRangeText({ min, max }: PortRange): string {
  return `${min}-${max}`;
}

/** The first of the made-up ports of a dry run. */
const dryRunPortBase = 32_768;

/** The ports reserved for services on every node. */
export class NodePortAllocator {
  readonly #range: PortRange;
  readonly #allocator: RangeAllocator;

  constructor(range: PortRange, allocator: RangeAllocator) {
    this.#range = range;
    this.#allocator = allocator;
  }

  /** Rejects with `AllocationError`. */
  async allocate(port: number): Promise<void> {
    if (!this.#contains(port)) {
      throw new AllocationError(
        `provided port is not in the valid range. The range of valid ports is ${portRangeText(this.#range)}`,
      );
    }
    if (!(await this.#allocator.take(port - this.#range.min))) throw alreadyAllocated();
  }

  async allocateAny(): Promise<number> {
    const offset = await this.#allocator.takeAny();
    if (offset === undefined) throw new AllocationError(rangeFullMessage);
    return this.#range.min + offset;
  }

  async has(port: number): Promise<boolean> {
    return this.#contains(port) && (await this.#allocator.has(port - this.#range.min));
  }

  async release(ports: readonly number[]): Promise<void> {
    const inRange = ports.filter((port) => this.#contains(port));
    await this.#allocator.release(inRange.map((port) => port - this.#range.min));
  }

  #contains(port: number): boolean {
    return port >= this.#range.min && port <= this.#range.max;
  }
}

/**
 * The ports that one write takes and releases: taken at once, and returned if the write fails; released once the write is stored. A dry
 * run takes none and makes up numbers.
 */
export class NodePortOperation {
  readonly #ports: NodePortAllocator;
  readonly #dryRun: boolean;
  readonly #taken = new Set<number>();
  /** The highest port that a dry run has invented. */
  #highest = dryRunPortBase;
  readonly #given: number[] = [];

  constructor(ports: NodePortAllocator, dryRun: boolean) {
    this.#ports = ports;
    this.#dryRun = dryRun;
  }

  async allocate(port: number): Promise<void> {
    if (!this.#dryRun) await this.#ports.allocate(port);
    else if (this.#taken.has(port) || (await this.#ports.has(port))) throw alreadyAllocated();
    this.#take(port);
  }

  async allocateAny(): Promise<number> {
    const port = this.#dryRun ? this.#highest + 1 : await this.#ports.allocateAny();
    this.#take(port);
    return port;
  }

  #take(port: number): void {
    this.#highest = this.#taken.size === 0 ? port : Math.max(this.#highest, port);
    this.#taken.add(port);
  }

  releaseWhenStored(ports: Iterable<number>): void {
    append(this.#given, ports);
  }

  async settle(stored: boolean): Promise<void> {
    if (!this.#dryRun) await this.#ports.release(stored ? this.#given : [...this.#taken]);
  }
}

function alreadyAllocated(): AllocationError {
  return new AllocationError("provided port is already allocated");
}
