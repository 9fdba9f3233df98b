import type { TracingSettings } from "#tracing/tracing-settings.ts";
import { codeOf } from "./check-address.ts";
import type { Findings } from "./finding.ts";

const answerMs = 10_000;

/** Sends no span to the receiver of traces. */
export async function checkTraces(findings: Findings, tracing: TracingSettings | undefined): Promise<void> {
  if (tracing === undefined) return;
  const { url, headers } = tracing;
  const receiver = new URL(url).host;
  const advice = {
    why: "Traces are lost. The portal itself is not affected.",
    todo: "Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS, and whether the receiver takes OTLP over HTTP (mostly at port 4318).",
  };
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ resourceSpans: [] }),
      redirect: "manual",
      signal: AbortSignal.timeout(answerMs),
    });
    await response.body?.cancel();
    if (response.ok) findings.fine(`The receiver of traces at ${receiver} takes them.`);
    else findings.warning(`The receiver of traces at ${receiver} answers with the status ${response.status}.`, advice);
  } catch (error) {
    findings.warning(`The receiver of traces at ${receiver} does not answer (${codeOf(error)}).`, advice);
  }
}
