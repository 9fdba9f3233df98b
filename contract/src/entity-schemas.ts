import { z } from "zod";
import { entityId } from "./entities.ts";
import { prose, requiredLine, singleLine } from "./text.ts";
import { dateOrder } from "./readings.ts";

const description = prose(20_000).default("");

const httpUrl = z
  .url({ protocol: /^https?$/, error: "is not an http or https address" })
  .max(2_000)
  .refine((url) => !/[@\\\s]/.test(url), "must not contain a user or spaces");

/** Empty = the built-in service. */
const optionalUrl = z.union([z.literal(""), httpUrl]).default("");

/** Empty = every signed-in user; otherwise holders of any of the roles. */
const roleNames = z
  .array(z.object({ roleName: requiredLine(200) }))
  .max(500)
  .default([]);

export const torchService = z.object({ name: entityId, baseUrl: httpUrl });
export type TorchService = z.infer<typeof torchService>;

export const ecosystem = z.object({ name: entityId, roles: roleNames });
export type Ecosystem = z.infer<typeof ecosystem>;

export const fileset = z.object({
  id: entityId,
  description,
  s3Bucket: singleLine(255).default(""),
  /** Prefix in the bucket; cannot leave it. */
  s3Prefix: singleLine(1_000)
    .refine((prefix) => !prefix.split("/").includes(".."), "must not contain '..'")
    .default(""),
  allowedRoles: roleNames,
  allowsUploads: z.boolean().default(false),
});
export type Fileset = z.infer<typeof fileset>;

/** Address of Graphite's plaintext protocol: `host:port`, or a URL with a port. */
const graphiteAddress = singleLine(500).refine(
  (text) => text === "" || graphiteTarget(text) !== undefined,
  "is not host:port, such as graphite.example.org:2003",
);

/** Parses a Graphite address; undefined if invalid. The port defaults to 2003. */
export function graphiteTarget(text: string): { host: string; port: number } | undefined {
  const match = /^(?:\w+:\/\/)?(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?\/?$/i.exec(text);
  const [, v6, name, port = "2003"] = match ?? [];
  const host = v6 ?? name;
  return host === undefined || Number(port) === 0 || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

const configurationFields = z.object({
  name: entityId,
  prestoURL: optionalUrl,
  prestoSource: singleLine(200).default(""),
  s3URL: optionalUrl,
  s3Region: singleLine(100).default(""),
  graphiteEnabled: z.boolean().default(false),
  graphiteUrl: graphiteAddress.default(""),
  /** Empty = the operator's value. */
  appTitle: singleLine(100).default(""),
  appSubtitle: singleLine(200).default(""),
  /** How dates are read whose day and month nothing in a file distinguishes. Null = as the browser of whoever looks at it suggests. */
  dateOrder: dateOrder.nullable().default(null),
});
/** At most one configuration is enabled; that one applies. */
export const configuration = configurationFields.refine(({ graphiteEnabled, graphiteUrl }) => !graphiteEnabled || graphiteUrl !== "", {
  path: ["graphiteUrl"],
  message: "is needed where Graphite is enabled",
});
export type Configuration = z.infer<typeof configurationFields>;

export const doc = z.object({ id: entityId, name: requiredLine(200), category: requiredLine(200), description });

export const flowGroup = z.object({ name: entityId, displayName: requiredLine(200), description });

const timeoutMs = (fallback: number) => z.int().min(1).max(600_000).default(fallback);

const pemBegin = "-----BEGIN CERTIFICATE-----";
const pemEnd = "-----END CERTIFICATE-----";

/**
 * The certificates of a PEM text, each with regular line breaks; undefined if it holds anything else. Line breaks may be missing, as
 * they are lost where a text is pasted into a field of one line.
 */
export function pemCertificates(text: string): string[] | undefined {
  const parts = text.split(pemEnd);
  if (parts.pop()?.trim() !== "") return undefined;
  const certificates: string[] = [];
  for (const part of parts.map((one) => one.trim())) {
    const base64 = part.slice(pemBegin.length).replaceAll(/\s/g, "");
    if (!part.startsWith(pemBegin) || !/^[A-Za-z\d+/]+={0,2}$/.test(base64)) return undefined;
    certificates.push(`${pemBegin}\n${(base64.match(/.{1,64}/g) ?? []).join("\n")}\n${pemEnd}\n`);
  }
  return certificates;
}

export const flowEnvironment = z.object({
  name: entityId,
  displayName: requiredLine(200),
  baseUrl: httpUrl,
  readTimeoutMs: timeoutMs(60_000),
  connectTimeoutMs: timeoutMs(10_000),
  /** Certificates (PEM) that the connection trusts besides the usual ones. Empty = only those. */
  ca: prose(100_000)
    .refine((text) => pemCertificates(text) !== undefined, `must contain only certificates in PEM (${pemBegin} …)`)
    .default(""),
});
