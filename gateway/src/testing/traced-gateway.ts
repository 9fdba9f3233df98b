import { onTestFinished } from "vitest";
import { readConfig } from "#config/config.ts";
import { demoGateway } from "./demo-gateway.ts";
import { otlpReceiver } from "./otlp-receiver.ts";
import { openTracing } from "../tracing/open-tracing.ts";
import { useTracer } from "../tracing/trace.ts";
import { buildColumn, buildDataset } from "./dataset-app.ts";

/** Turns tracing on by the standard variables. `flush` sends everything and turns it off, `warnings` is what the log would say. */
export async function tracingTo(env: Record<string, string> = {}) {
  const receiver = await otlpReceiver();
  onTestFinished(() => receiver.close());
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, ...env }, { demo: true });
  if (tracing === undefined) throw new Error("tracing is off");
  const warnings: unknown[] = [];
  const { tracer, close } = openTracing(tracing, { warn: (...line: unknown[]) => void warnings.push(line) });
  useTracer(tracer);
  const flush = async () => {
    useTracer(undefined);
    await close();
  };
  onTestFinished(() => useTracer(undefined));
  return { receiver, flush, warnings };
}

const tides = {
  entity: buildDataset({
    id: "tides",
    category: "Coast",
    description: "Heights.",
    source: { kind: "files", glob: "coast/tides/*.parquet", format: "parquet" },
    schema: { columns: [buildColumn("harbor", "STRING"), buildColumn("height", "decimal")] },
  }),
  sources: {},
  select: "select 'Wick' as harbor, 1.5 as height union all select 'Leith', 2.5",
};

export async function openGateway(env: Record<string, string> = {}) {
  const gateway = await demoGateway(env, { categories: [{ id: "Coast", description: "" }], datasets: [tides] });
  onTestFinished(() => gateway.close());
  return `http://127.0.0.1:${gateway.port}/api`;
}
