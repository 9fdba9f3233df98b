import type { LookupFunction } from "node:net";

/** Service that keeps the buckets. */
export interface S3Address {
  /** Without a bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly url: string;
  /** Empty = from the address, else us-east-1. */
  readonly region: string;
}

/** The operator's settings for every S3 service. */
export interface S3Settings {
  /** Undefined = the SDK's chain: `AWS_*` variables, shared files, web identity, or the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Whether addresses name the bucket in their path instead of the host; undefined = except at AWS. */
  readonly pathStyle: boolean | undefined;
  /** Whether browsers upload to the service itself. */
  readonly directUploads: boolean;
  readonly limits: { readonly storeConnectMs: number; readonly storeReadMs: number };
  /** Decides which addresses may be called; rejects and throws errors named `AddressRefused`. */
  readonly addresses: { requireAllowed(url: URL): void; readonly lookup: LookupFunction };
}

const awsHost = /(?:^|\.)s3[.-](?:dualstack\.|fips[.-])?(?:([a-z]{2}(?:-[a-z]+)+-\d)\.)?amazonaws\.com(?:\.cn)?$/;

const isAws = ({ url }: S3Address): boolean => awsHost.test(new URL(url).hostname);

export const regionOf = ({ url, region }: S3Address): string => region || (awsHost.exec(new URL(url).hostname)?.[1] ?? "us-east-1");

export const usesPathStyle = (address: S3Address, { pathStyle }: Pick<S3Settings, "pathStyle">): boolean => pathStyle ?? !isAws(address);

/** The origin that a content security policy has to allow so that browsers can upload to any bucket. */
export function uploadOriginOf(address: S3Address, settings: Pick<S3Settings, "pathStyle">): string {
  const { protocol, host, origin } = new URL(address.url);
  return usesPathStyle(address, settings) ? origin : `${protocol}//*.${host}`;
}
