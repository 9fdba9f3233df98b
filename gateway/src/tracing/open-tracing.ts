import { AsyncLocalStorage } from "node:async_hooks";
import {
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer as OtelTracer,
  diag,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { BaseLogger } from "pino";
import { hidingSecrets } from "#secrets/hide-secrets.ts";
import { systemCode } from "#process/system-code.ts";
import { version } from "#process/version.ts";
import type { RequestSpan, SpanDescription, TraceSpan, Tracer } from "./trace.ts";
import type { TracingSettings } from "./tracing-settings.ts";

export interface OpenTracing {
  readonly tracer: Tracer;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

/** Sends spans as OTLP/HTTP in batches. A receiver that does not answer costs spans, and delays nothing. */
export function openTracing(settings: TracingSettings, log: Pick<BaseLogger, "warn">): OpenTracing {
  const ignore = () => undefined;
  const hide = hidingHeaders(settings);
  // The library reports failures to send here only. Its texts may quote the receiver, which may repeat headers, but never spans.
  const warn = (message: string) => log.warn({ detail: hide(message).slice(0, 500) }, "traces could not be sent");
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ "service.name": settings.serviceName, "service.version": version })),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: settings.url, headers: { ...settings.headers } }))],
  });
  return {
    tracer: new OtlpTracer(provider.getTracer("fairway", version)),
    close: async () => {
      await provider.shutdown().catch((error: unknown) => warn(error instanceof Error ? error.message : "unknown"));
      diag.disable();
    },
  };
}

/** Values of headers and the sign-in of the address, which a receiver may repeat. Shorter words are those of schemes, such as `Basic`. */
function hidingHeaders({ url, headers }: TracingSettings): (text: string) => string {
  const words = Object.values(headers).flatMap((value) => value.split(/\s+/));
  const decoded = words.flatMap((word) => Buffer.from(word, "base64").toString().split(":"));
  const { username, password } = new URL(url);
  const signIn = password === "" ? undefined : { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  return hidingSecrets(
    words.concat(decoded).filter((word) => word.length >= 7),
    signIn,
  );
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const [, isParentBased, name] = /^(parentbased_)?(.*)$/.exec(sampler) ?? [];
  const root =
    name === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : name === "always_off" ? new AlwaysOffSampler() : new AlwaysOnSampler();
  return isParentBased === undefined ? root : new ParentBasedSampler({ root });
}

class OtlpTracer implements Tracer {
  readonly #tracer: OtelTracer;
  readonly #spans = new AsyncLocalStorage<Span>();
  readonly #propagator = new W3CTraceContextPropagator();

  constructor(tracer: OtelTracer) {
    this.#tracer = tracer;
  }

  async run<T>(describe: () => SpanDescription, work: (span: TraceSpan) => Promise<T>): Promise<T> {
    const parent = this.#spans.getStore();
    if (parent?.isRecording() !== true) return work({ set: () => undefined });
    const { name, kind, attributes = {} } = describe();
    const span = this.#tracer.startSpan(
      name,
      { kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes },
      trace.setSpan(ROOT_CONTEXT, parent),
    );
    try {
      return await this.#spans.run(span, () => work(settable(span)));
    } catch (error) {
      // Not the message, which may quote values.
      span.setAttribute("error.type", systemCode(error) ?? (error instanceof Error ? error.name : typeof error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  startRequest({ name, attributes = {} }: SpanDescription, headers: Readonly<Record<string, unknown>> | undefined): RequestSpan {
    const getter = {
      keys: (carrier: Readonly<Record<string, unknown>>) => Object.keys(carrier),
      get: (carrier: Readonly<Record<string, unknown>>, key: string) => {
        const value = carrier[key];
        return typeof value === "string" ? value : undefined;
      },
    };
    const parent = headers === undefined ? ROOT_CONTEXT : this.#propagator.extract(ROOT_CONTEXT, headers, getter);
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    let isEnded = false;
    return {
      ...settable(span),
      within: (work) => this.#spans.run(span, work),
      end: (failed) => {
        if (isEnded) return;
        isEnded = true;
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  current(): TraceSpan | undefined {
    const span = this.#spans.getStore();
    return span && settable(span);
  }

  ids(): { trace_id?: string; span_id?: string } {
    const context = this.#spans.getStore()?.spanContext();
    return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    const span = this.#spans.getStore();
    if (span === undefined) return headers;
    this.#propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, {
      set: (carrier, key, value) => {
        carrier[key] = value;
      },
    });
    return headers;
  }
}

/** Work that goes on after the answer of its call, such as an import, is not recorded any more. */
const settable = (span: Span): TraceSpan => ({
  set: (name, value) => {
    if (span.isRecording()) span.setAttribute(name, value);
  },
});
