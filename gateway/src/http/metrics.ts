import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** Prometheus metrics. Label values come from declared routes and fixed lists only, so that callers cannot create new ones. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls = new Histogram({
    name: "fairway_http_request_duration_seconds",
    help: "Calls by route, method and status.",
    labelNames: ["route", "method", "status"] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [this.#registry],
  });

  constructor() {
    // The default of 10 ms is a third of what an idle gateway does.
    collectDefaultMetrics({ register: this.#registry, prefix: "fairway_", eventLoopMonitoringPrecision: 25 });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Current values without histogram buckets. Names consist of the metric name and its label values. */
  async samples(): Promise<{ readonly name: readonly string[]; readonly value: number }[]> {
    const all = await this.#registry.getMetricsAsJSON();
    return all.flatMap(({ name, values }) =>
      values.flatMap((sample) => {
        const { metricName = name } = sample as { metricName?: string };
        if (metricName.endsWith("_bucket") || !Number.isFinite(sample.value)) return [];
        return [{ name: [metricName, ...Object.values(sample.labels).map(String)], value: sample.value }];
      }),
    );
  }

  /** Counts every call of the app, except answers that go on for as long as their caller stays. */
  observe(app: FastifyInstance): void {
    app.addHook("onResponse", (request, reply, done) => {
      const { contract } = request.routeOptions.config;
      if (contract?.endless && reply.statusCode < 400) return done();
      const route = contract?.path ?? "other";
      this.#calls.observe({ route, method: request.method, status: String(reply.statusCode) }, reply.elapsedTime / 1_000);
      done();
    });
  }

  /** Registers a gauge that is read on each request of the metrics. */
  gauge(name: `fairway_${string}`, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect: () => gauge.set(read()) });
  }

  /** Registers a counter that is read on each request of the metrics, and never falls while the portal runs. */
  total(name: `fairway_${string}_total`, help: string, read: () => number): void {
    const counter: Counter = new Counter({
      name,
      help,
      registers: [this.#registry],
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }

  /** Registers a histogram of durations in seconds. */
  histogram(name: `fairway_${string}_seconds`, help: string, buckets: number[]): { observe(seconds: number): void } {
    const histogram = new Histogram({ name, help, buckets, registers: [this.#registry] });
    return { observe: (seconds) => histogram.observe(seconds) };
  }

  counter(name: `fairway_${string}`, help: string): { increment(by?: number): void } {
    const counter = new Counter({ name, help, registers: [this.#registry] });
    return { increment: (by) => counter.inc(by) };
  }
}
