import { setImmediate } from "node:timers/promises";
import { type Clock, timerMs } from "./clock.js";
import { inTime } from "./in-time.js";
import { SharedTime } from "./shared-time.js";
import { TimerQueue } from "./timer-queue.js";

/** Work that is started while the clock moves may begin in one of the next rounds of the event loop. */
const quietRounds = 3;
/** Work that takes longer continues while the clock moves, because it may wait for something that only the mover can do. */
const settleMs = 5000;

interface Repetition {
  readonly periodMs: number;
  readonly callback: () => void;
  dueMs: number;
}

/**
 * A clock that follows the machine's until it is moved or stopped. Moving it runs every timer that becomes due, each at its time, and
 * waits after each for the work that it causes.
 */
export class MovableClock implements Clock {
  readonly #time = new SharedTime();
  readonly #timers = new TimerQueue();
  readonly #repetitions = new Set<Repetition>();
  readonly #work = new Set<Promise<unknown>>();
  #alarm: NodeJS.Timeout | undefined;
  /** When the alarm is due. */
  #alarmMs = Number.POSITIVE_INFINITY;
  #moves: Promise<void> = Promise.resolve();
  #isMoving = false;
  #isFrozen = false;

  /** `startMs`: the time to start with; the machine's when unset. */
  constructor(startMs?: number | undefined) {
    if (startMs !== undefined) this.#time.goOnFrom(startMs);
  }

  /** For `FollowedClock` in other threads. */
  get memory(): SharedArrayBuffer {
    return this.#time.memory;
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  now(): number {
    return Math.floor(this.#time.now());
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = this.#timers.add(this.#time.now() + Math.max(0, delayMs), callback);
    this.#setAlarm(timer.dueMs);
    return () => this.#timers.cancel(timer);
  }

  every(periodMs: number, callback: () => void): () => void {
    const repetition = { periodMs, callback, dueMs: this.#time.now() + periodMs };
    this.#repetitions.add(repetition);
    this.#setAlarm(repetition.dueMs);
    return () => void this.#repetitions.delete(repetition);
  }

  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.schedule(delayMs, resolve);
    });
  }

  track(work: Promise<unknown>): void {
    this.#work.add(work);
    const done = (): void => void this.#work.delete(work);
    work.then(done, done);
  }

  /** Stops the time. Work continues; timers do not run. */
  freeze(): void {
    this.#isFrozen = true;
    if (this.#isMoving) return;
    this.#time.standAt(this.#time.now());
    this.#dropAlarm();
  }

  /** Lets the time continue from where it stopped. */
  resume(): void {
    this.#isFrozen = false;
    if (this.#isMoving || !this.#time.stands) return;
    this.#time.goOnFrom(this.#time.now());
    this.#setNextAlarm();
  }

  /**
   * Moves the time forward by `durationMs`. Resolves when every timer that became due has run, and the work that it caused is done. Calls
   * run one after the other. Throws a `RangeError` for a negative duration or `NaN`.
   */
  advance(durationMs: number): Promise<void> {
    if (!(durationMs >= 0) || durationMs > longestMoveMs) {
      throw new RangeError(
        `the clock cannot be moved by ${durationMs} ms: it goes forward, 100 years at most`,
      );
    }
    const moved = this.#moves.then(() => this.#move(durationMs));
    this.#moves = moved.catch(() => undefined);
    return moved;
  }

  /** Resolves when the work that this or a change has caused is done, after at most `withinMs`. */
  settled(withinMs = settleMs): Promise<void> {
    return this.#settled(withinMs);
  }

  /** No timer keeps the process or its owner alive after this. */
  close(): void {
    this.#dropAlarm();
    this.#repetitions.clear();
    this.#isFrozen = true;
  }

  async #move(durationMs: number): Promise<void> {
    const from = this.#time.now();
    const until = from + durationMs;
    this.#isMoving = true;
    this.#dropAlarm();
    this.#time.standAt(from);
    try {
      for (;;) {
        const next = this.#timers.nextMs;
        if (next === undefined || next > until) break;
        this.#time.standAt(Math.max(this.#time.now(), next));
        this.#callDue();
        await this.#settled(settleMs);
      }
      this.#time.standAt(until);
      this.#callDue();
      await this.#settled(settleMs);
    } finally {
      this.#isMoving = false;
      if (!this.#isFrozen) {
        this.#time.goOnFrom(this.#time.now());
        this.#setNextAlarm();
      }
    }
  }

  #callDue(): void {
    const now = this.#time.now();
    for (const repetition of this.#repetitions) {
      const { dueMs, periodMs, callback } = repetition;
      if (dueMs > now) continue;
      repetition.dueMs = now + periodMs - ((now - dueMs) % periodMs);
      callback();
    }
    for (let timer = this.#timers.take(now); timer !== undefined; timer = this.#timers.take(now))
      timer.callback();
  }

  async #settled(withinMs: number): Promise<void> {
    const giveUpAt = performance.now() + withinMs;
    for (let quiet = 0; quiet < quietRounds; ) {
      await setImmediate();
      if (this.#work.size === 0) quiet++;
      else {
        quiet = 0;
        if (performance.now() >= giveUpAt) return this.#work.clear();
        await this.#oneEnds(giveUpAt - performance.now());
      }
    }
  }

  async #oneEnds(withinMs: number): Promise<void> {
    // The first is enough, because `#settled` calls this again.
    const [first] = this.#work;
    await inTime(
      Promise.resolve(first).catch(() => undefined),
      withinMs,
    );
  }

  /** Wakes by `dueMs` while the time runs. */
  #setAlarm(dueMs: number): void {
    if (this.#isMoving || this.#time.stands || dueMs >= this.#alarmMs) return;
    this.#dropAlarm();
    this.#alarmMs = dueMs;
    const delayMs = timerMs(Math.max(0, Math.ceil(dueMs - this.#time.now())));
    this.#alarm = setTimeout(() => {
      this.#alarmMs = Number.POSITIVE_INFINITY;
      this.#callDue();
      this.#setNextAlarm();
    }, delayMs);
    this.#alarm.unref();
  }

  #setNextAlarm(): void {
    let next = this.#timers.nextMs ?? Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#repetitions) next = Math.min(next, dueMs);
    if (next < Number.POSITIVE_INFINITY) this.#setAlarm(next);
  }

  #dropAlarm(): void {
    clearTimeout(this.#alarm);
    this.#alarmMs = Number.POSITIVE_INFINITY;
  }
}

/** Kubernetes' timestamps have no form for years of five digits. */
const longestMoveMs = 100 * 365 * 24 * 3_600_000;
