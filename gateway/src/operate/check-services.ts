import { access, constants, readdir, readFile } from "node:fs/promises";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { pemCertificates } from "@fairway/contract/entity-schemas";
import type { EntityBody } from "@fairway/contract/administration";
import { oidcReturnPaths, oidc as oidcRoutes } from "@fairway/contract/oidc";
import type { CacSettings } from "#openid/cac-settings.ts";
import type { Config } from "#config/config.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import { FilesetStores } from "#entities/fileset-stores.ts";
import { smtpOptions } from "#config/mail-settings.ts";
import { nifiClient } from "#nifi/client.ts";
import { NifiFailed } from "#nifi/failure.ts";
import { discover, reasonOf } from "#openid/issuer-calls.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { localDiskStores, plainFolder } from "#storage/local-disk.ts";
import { codeOf } from "./check-address.ts";
import type { Findings } from "./finding.ts";
import { certificateEnd, reportCertificateEnd } from "./server-certificate.ts";

const answerMs = 10_000;

export async function checkMail(findings: Findings, mail: Config["mail"]): Promise<void> {
  if (mail === undefined) {
    findings.note("No mail server is configured: notifications are shown on the screen only.");
    return;
  }
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(smtpOptions(mail));
  try {
    await transport.verify();
    findings.fine(`The mail server ${mail.host}:${mail.port} answers${mail.auth ? " and accepts the sign-in" : ""}.`);
  } catch (error) {
    // Its message may repeat the sign-in.
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    findings.problem(`The mail server ${mail.host}:${mail.port} cannot be used (${code}).`, {
      why: "Notifications are not sent by email.",
      todo: "Check FAIRWAY_SMTP_URL: address, port, user, password, and whether the server offers TLS (EAUTH: sign-in refused, ETLS or ESOCKET: TLS).",
    });
  } finally {
    transport.close();
  }
}

export async function checkCardIssuer(findings: Findings, cac: CacSettings | undefined, now: Date): Promise<void> {
  if (cac === undefined) return;
  const addresses = [cac.issuer, cac.tokenUrl, cac.userInfoUrl].filter((address) => address !== undefined);
  const origins = new Set(addresses.map((address) => new URL(address).origin));
  for (const origin of origins) await checkCertificate(findings, origin, now);
  if (cac.issuer === undefined) {
    for (const url of addresses) {
      const reached = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(answerMs) }).then(
        () => "",
        (error: unknown) => codeOf(error),
      );
      if (reached === "") findings.fine(`The card issuer answers at ${url}.`);
      else findings.problem(`The card issuer does not answer at ${url} (${reached}).`, cardAdvice);
    }
    return;
  }
  const url = `${cac.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    const described = (await response.json()) as { issuer?: unknown };
    if (described.issuer === cac.issuer) findings.fine(`The card issuer ${cac.issuer} answers.`);
    else {
      findings.problem(`The card issuer at ${cac.issuer} calls itself ${JSON.stringify(described.issuer)}.`, {
        why: "ID tokens are accepted only from the issuer with exactly the configured name.",
        todo: "Set cac.issuer of the settings file to that name, if it is right.",
      });
    }
  } catch (error) {
    findings.problem(`The card issuer does not answer at ${url} (${codeOf(error)}).`, cardAdvice);
  }
}

export async function checkProvider(
  findings: Findings,
  { oidc, upstreamAddresses, publicUrl = "PUBLIC_URL" }: Pick<Config, "oidc" | "upstreamAddresses" | "publicUrl">,
  now: Date,
): Promise<void> {
  if (oidc === undefined) return;
  const { issuer, clientId, ca } = oidc;
  await checkCertificate(findings, new URL(issuer).origin, now);
  try {
    const policy = new AddressPolicy(upstreamAddresses);
    const server = await discover(issuer, clientId, { service: "identity provider", policy, timeoutMs: answerMs, ca });
    const returns = Object.values(oidcReturnPaths).map((path) => publicUrl + path);
    const logout =
      server["backchannel_logout_supported"] === true
        ? `, and for logouts elsewhere ${publicUrl}/api${oidcRoutes.backchannelLogout.path}`
        : "";
    findings.fine(
      `The OpenID Connect provider ${issuer} answers. Registered there should be the redirect addresses ${returns.join(" and ")}${logout}.`,
    );
  } catch (error) {
    findings.problem(`The OpenID Connect provider ${issuer} cannot be used: ${reasonOf(error) ?? codeOf(error)}.`, {
      why: "People of the organization cannot sign in, and their sessions end soon.",
      todo: "Check OIDC_ISSUER, which has to be exactly the name that the provider gives itself, the network, oidc.ca of the settings for a private authority, and FAIRWAY_UPSTREAM_ADDRESSES for an address that may not be called.",
    });
  }
}

const cardAdvice = {
  why: "Nobody can sign in with a card.",
  todo: "Check cac of the settings file, the network, and NODE_EXTRA_CA_CERTS for a private authority.",
};

async function checkCertificate(findings: Findings, origin: string, now: Date): Promise<void> {
  if (!origin.startsWith("https:")) return;
  // Whoever calls the address says why it cannot be reached.
  const end = await certificateEnd(new URL(origin)).catch(() => undefined);
  if (end !== undefined) reportCertificateEnd(findings, origin, end, now);
}

export async function checkScanner(findings: Findings, command: Config["scanCommand"]): Promise<void> {
  if (command === undefined) return;
  const [program] = command;
  const isRunnable = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isRunnable) findings.fine(`Uploads are scanned by ${program}.`);
  else {
    findings.problem(`The scanner ${program} does not exist or cannot be run by this user.`, {
      why: "No file can be uploaded.",
      todo: "Install it, or correct scanCommand of the settings.",
    });
  }
}

/** Certificates of clients in PEM. Those in PKCS#12 files are encrypted. */
export async function checkKeystores(findings: Findings, folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((file) => /\.(?:pem|crt|cer)$/i.test(file))) {
    const text = await readFile(join(folder, name), "utf8").catch(() => "");
    const [first] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(text) ?? [];
    if (first === undefined) continue;
    const certificate = parsedCertificate(first);
    if (certificate) reportCertificateEnd(findings, `the keystore ${name}`, new Date(certificate.validTo), now);
    else {
      findings.warning(`The keystore ${name} contains a certificate that cannot be read.`, {
        why: "Datasets that use it fail.",
        todo: "Write the file again from its source.",
      });
    }
  }
}

function parsedCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** The buckets of all filesets, if the enabled configuration names an S3 service. */
export async function checkFilesets(findings: Findings, entities: Pick<EntityStore, "list">, config: Config): Promise<void> {
  const configuration = (await entities.list(storedTypes.config)).find(({ enabled }) => enabled)?.body;
  if (configuration === undefined || configuration.s3URL === "") {
    findings.fine("Filesets are in the portal's folder.");
    return;
  }
  const stores = new FilesetStores({
    configuration: { current: () => Promise.resolve(configuration), onConfiguration: () => undefined },
    disk: localDiskStores(join(config.home, "files"), plainFolder),
    s3: { ...config.s3, limits: config.limits, addresses: new AddressPolicy(config.upstreamAddresses) },
    reserved: () => Promise.resolve(new Set([config.settings.ownData.bucket])),
    portalUrl: config.publicUrl,
    log: { debug: () => undefined },
  });
  try {
    const buckets = new Set((await entities.list(storedTypes.filesets)).map(({ body }) => body.s3Bucket));
    for (const bucket of buckets) {
      const problem = await stores.problemOf(bucket, config.s3.directUploads);
      if (problem === undefined) findings.fine(`The bucket '${bucket}' of ${configuration.s3URL} can be read.`);
      else {
        findings.problem(problem, {
          why: "Users cannot open the files of its filesets.",
          todo: "See Filesets on S3 in the operator guide: the bucket, the credentials and their rights, the address.",
        });
      }
    }
  } finally {
    await stores.close();
  }
}

/** Whether something like NiFi answers at each enabled environment. Sends no credentials. */
export async function checkNifi(findings: Findings, entities: Pick<EntityStore, "list">, config: Config, now: Date): Promise<void> {
  const environments = (await entities.list(storedTypes.flowEnvironments)).filter(({ enabled }) => enabled);
  await Promise.all(environments.map(({ body }) => checkEnvironment(findings, body, config, now)));
}

async function checkEnvironment(
  findings: Findings,
  { displayName, baseUrl, connectTimeoutMs, readTimeoutMs, ca }: EntityBody<"flowEnvironments">,
  config: Config,
  now: Date,
): Promise<void> {
  const certificates = pemCertificates(ca) ?? [];
  const address = { baseUrl, connectTimeoutMs, readTimeoutMs, credentials: { kind: "none" } as const };
  const trusted = certificates.length === 0 ? address : { ...address, ca: certificates.join("") };
  try {
    await nifiClient(trusted, new AddressPolicy(config.upstreamAddresses)).text({ method: "GET", path: "/access/config" });
  } catch (error) {
    if (!(error instanceof NifiFailed)) throw error;
    // A NiFi that wants to know who calls has answered.
    if (error.status === undefined || error.status >= 500) {
      findings.problem(`The NiFi of the environment ${displayName} does not answer: ${error.message}`, {
        why: "Flows cannot be deployed there or checked against it.",
        todo: "Check its address under Power, Flow Environments, its certificates, and FAIRWAY_UPSTREAM_ADDRESSES for loopback addresses.",
      });
      return;
    }
  }
  findings.fine(`The NiFi of the environment ${displayName} answers.`);
  if (baseUrl.startsWith("https:")) {
    const end = await certificateEnd(new URL(baseUrl), certificates).catch(() => undefined);
    if (end !== undefined) reportCertificateEnd(findings, `the NiFi of ${displayName}`, end, now);
  }
}
