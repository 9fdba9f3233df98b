import { createServer } from "node:net";
import type { Config } from "#config/config.ts";
import { isLoopback } from "#process/loopback.ts";
import { systemCode } from "#process/system-code.ts";
import type { Findings } from "./finding.ts";
import { certificateEnd, reportCertificateEnd } from "./server-certificate.ts";

type AddressConfig = Pick<Config, "demo" | "host" | "port" | "publicUrl" | "trustedProxies" | "allowedHosts">;

const answerMs = 10_000;
const maxClockDifferenceMs = 5_000;

export async function checkAddress(findings: Findings, config: AddressConfig, now = new Date()): Promise<void> {
  await checkListening(findings, config);
  if (config.demo) return;
  checkProxy(findings, config);
  if (config.publicUrl !== undefined) await checkPublicUrl(findings, config.publicUrl, now);
}

async function checkListening(findings: Findings, { host, port }: AddressConfig): Promise<void> {
  const where = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const code = port === 0 ? undefined : await listenProblem(host, port);
  if (code === undefined) {
    findings.note(`Nothing listens on ${where}: the portal is stopped.`);
    return;
  }
  if (code !== "EADDRINUSE") {
    findings.problem(`The portal cannot listen on ${where} (${code}).`, {
      why: "It would not start.",
      todo: code === "EACCES" ? "Set PORT to one above 1023." : "Set HOST to an address of this machine, 0.0.0.0 or ::.",
    });
    return;
  }
  const called = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  const answer = await call(`http://${called}:${port}/api/health/ready`);
  if (answer.status === 200 && answer.isFairway) findings.fine(`The portal listens on ${where} and is ready.`);
  else if (answer.isFairway) {
    findings.problem(`The portal listens on ${where}, but is not ready.`, {
      why: "Its database, engine or store does not answer, so calls fail.",
      todo: "Read the other findings and the log.",
    });
  } else {
    findings.problem(`Another program listens on ${where}.`, { why: "The portal cannot start there.", todo: "Stop it, or set PORT." });
  }
}

/** The system's code if nobody can listen there. */
async function listenProblem(host: string, port: number): Promise<string | undefined> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", (error) => resolve(systemCode(error) ?? "unknown"));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}

function checkProxy(findings: Findings, { host, publicUrl, trustedProxies, allowedHosts }: AddressConfig): void {
  if (publicUrl === undefined) {
    findings.warning("PUBLIC_URL is not set.", {
      why: "Links in emails, passkeys and the card sign-in need the address that people open.",
      todo: "Set PUBLIC_URL, such as https://data.example.org.",
    });
  } else if (publicUrl.startsWith("https:") && trustedProxies.length === 0) {
    findings.warning("PUBLIC_URL is https, but TRUSTED_PROXIES names no proxy.", {
      why: "The portal itself speaks http only. Without a trusted proxy, the audit log has the proxy's address for everybody, and limits by address count all people as one.",
      todo: "Set TRUSTED_PROXIES to the address of the reverse proxy, which has to send X-Forwarded-For and X-Forwarded-Proto.",
    });
  } else if (publicUrl.startsWith("http:") && !isLoopback(new URL(publicUrl).hostname)) {
    findings.warning("PUBLIC_URL is http.", {
      why: "Passwords and data travel unencrypted, and browsers offer no passkeys there.",
      todo: "Put a reverse proxy with a certificate in front, and set PUBLIC_URL to its https address.",
    });
  } else findings.fine(`PUBLIC_URL is ${publicUrl}; ${trustedProxies.length} trusted proxies.`);
  if (allowedHosts === undefined && !isLoopback(host)) {
    findings.warning("Requests may name any host.", {
      why: "A foreign name that leads to this portal can be used to attack browsers of its users (DNS rebinding).",
      todo: "Set ALLOWED_HOSTS to the names of the portal.",
    });
  }
}

async function checkPublicUrl(findings: Findings, publicUrl: string, now: Date): Promise<void> {
  const url = new URL(publicUrl);
  if (url.protocol === "https:") {
    try {
      reportCertificateEnd(findings, publicUrl, await certificateEnd(url), now);
    } catch (error) {
      findings.warning(`This machine cannot make a trusted connection to ${publicUrl} (${codeOf(error)}).`, {
        why: "People may not reach the portal, or see a warning of their browser. This is fine if only their network can reach it.",
        todo: "Check the name, the reverse proxy and its certificate chain; NODE_EXTRA_CA_CERTS names a private authority.",
      });
      return;
    }
  }
  const sentMs = Date.now();
  const { status, isFairway, dateMs } = await call(`${publicUrl}/api/health/live`);
  if (!isFairway) {
    findings.warning(
      status === undefined ? `Nothing answers at ${publicUrl}.` : `What answers at ${publicUrl} is not this portal (status ${status}).`,
      {
        why: "People cannot open the portal there. This is expected while the portal is stopped.",
        todo: "Check that the reverse proxy passes everything below this address on to the portal.",
      },
    );
    return;
  }
  findings.fine(`The portal answers at ${publicUrl}.`);
  if (dateMs !== undefined && Math.abs(dateMs - sentMs) > maxClockDifferenceMs) {
    findings.warning(`The clock of what answers at ${publicUrl} differs by ${Math.round(Math.abs(dateMs - sentMs) / 1_000)} s.`, {
      why: "Sessions and one-time codes depend on the time.",
      todo: "Let both machines synchronize their clocks by NTP.",
    });
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly isFairway: boolean;
  readonly dateMs: number | undefined;
}

/** Calls a health check: ready or not, its answer is a JSON object with a status or a code. */
async function call(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(answerMs) });
    const body: unknown = await response.json().catch(() => undefined);
    const isFairway = typeof body === "object" && body !== null && ("status" in body || "code" in body);
    const dateMs = Date.parse(response.headers.get("date") ?? "");
    return { status: response.status, isFairway, dateMs: Number.isNaN(dateMs) ? undefined : dateMs };
  } catch {
    return { status: undefined, isFairway: false, dateMs: undefined };
  }
}

/** Node's fetch hides the reason in the cause. */
export function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return systemCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
}
