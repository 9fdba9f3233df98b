import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Findings } from "./finding.ts";

const connectMs = 10_000;
const day = 86_400_000;
const warnDays = 30;

/** When the certificate of an https address ends; rejects if no trusted TLS connection can be made. */
export function certificateEnd(url: URL, ca?: readonly string[]): Promise<Date> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: url.port === "" ? 443 : Number(url.port),
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && ca.length > 0 && { ca: [...ca] }),
      timeout: connectMs,
    });
    socket.once("secureConnect", () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once("timeout", () => socket.destroy(new Error(`no connection within ${connectMs / 1_000} s`)));
    socket.once("error", reject);
  });
}

/** Reports a certificate that ends soon or has ended; `owner` completes "The certificate of …". */
export function reportCertificateEnd(findings: Findings, owner: string, end: Date, now: Date): void {
  const days = Math.floor((end.getTime() - now.getTime()) / day);
  const date = end.toISOString().slice(0, 10);
  const advice = { why: "Connections fail from that day on.", todo: "Renew it, and check what should have renewed it." };
  if (days < 0) findings.problem(`The certificate of ${owner} ended on ${date}.`, advice);
  else if (days < warnDays) findings.warning(`The certificate of ${owner} ends on ${date}, in ${days} days.`, advice);
  else findings.fine(`The certificate of ${owner} is valid until ${date}.`);
}
