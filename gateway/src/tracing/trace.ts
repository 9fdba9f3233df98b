/** A value in spans: no texts or values that users enter. */
export type SpanValue = string | number | boolean;

/** A unit of work that is being timed. */
export interface TraceSpan {
  set(name: string, value: SpanValue): void;
}

export interface SpanDescription {
  readonly name: string;
  /** `client`: a call of something outside of this process. Default: work within it. */
  readonly kind?: "client";
  readonly attributes?: Readonly<Record<string, SpanValue>>;
}

/** A call of the API that is being timed, from its arrival to its answer. */
export interface RequestSpan extends TraceSpan {
  /** Runs work so that spans and log lines within it belong to this call. */
  within<T>(work: () => T): T;
  /** Later calls have no effect. */
  end(failed: boolean): void;
}

/** Makes spans. There is none unless an operator has set where to send them. Decision 0532. */
export interface Tracer {
  /** Times work as a part of the current span. Work that belongs to no call of the API is not timed. */
  run<T>(describe: () => SpanDescription, work: (span: TraceSpan) => Promise<T>): Promise<T>;
  /** `headers` are those that continue the trace of a caller. */
  startRequest(description: SpanDescription, headers: Readonly<Record<string, unknown>> | undefined): RequestSpan;
  current(): TraceSpan | undefined;
  /** For log lines; empty outside of a span. */
  ids(): { readonly trace_id?: string; readonly span_id?: string };
  /** The headers by which a called service continues the trace. */
  headers(): Readonly<Record<string, string>>;
}

const untimed: TraceSpan = { set: () => undefined };

let tracer: Tracer | undefined;

/** Called once by the process, before it opens its parts. */
export function useTracer(opened: Tracer | undefined): void {
  tracer = opened;
}

export const currentTracer = (): Tracer | undefined => tracer;

/** Times work as a part of the current span. */
export function traced<T>(describe: () => SpanDescription, work: (span: TraceSpan) => Promise<T>): Promise<T> {
  return tracer === undefined ? work(untimed) : tracer.run(describe, work);
}

export const currentSpan = (): TraceSpan => tracer?.current() ?? untimed;

export const traceHeaders = (): Readonly<Record<string, string>> => tracer?.headers() ?? {};
