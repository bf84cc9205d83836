import { RandomIdGenerator } from "@opentelemetry/sdk-trace-base";
import type { LaneTracer } from "../../serving/lanes/lane-handler.js";
import type { Span } from "../../telemetry/span.js";
import type { SpanRecord } from "../../telemetry/span-record.js";
import { RecordedSpan, SpanClock, type SpanRecorder } from "./recorded-span.js";
import { remoteParent } from "./remote-parent.js";

/** Collects the spans of requests in a lane, which the serving thread sends. Importing this file loads OpenTelemetry. */
export class LaneSpans implements LaneTracer {
  #ended: SpanRecord[] = [];
  readonly #recorder: SpanRecorder = {
    clock: new SpanClock(),
    ids: new RandomIdGenerator(),
    ended: (span) => void this.#ended.push(span.record()),
  };

  begin(parent: Readonly<Record<string, string>>): Span {
    return RecordedSpan.first("lane", this.#recorder, remoteParent(parent));
  }

  take(): readonly SpanRecord[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }
}
