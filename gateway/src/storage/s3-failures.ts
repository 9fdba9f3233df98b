import { StoreFailed } from "./storage.ts";

/** Fields that the SDK adds to errors. The service decides on further fields of its error document. */
interface SdkError extends Error {
  readonly code?: unknown;
  readonly Region?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

const configuration = "in the enabled Configuration";

const credentialsRefused =
  "The file store does not accept the portal's credentials. An administrator has to correct FAIRWAY_S3_ACCESS_KEY_ID and FAIRWAY_S3_SECRET_ACCESS_KEY, or the AWS credentials of the server.";
const tooBusy = "The file store is too busy at the moment. Try again in a minute.";
const noRoom = "The file store is full, or the bucket has reached its quota. An administrator has to free up space.";
const tooSlow =
  "The file store did not answer in time. Try again later; if this continues, an administrator has to check the store and the network, or raise limits.storeConnectMs and limits.storeReadMs of the settings.";
const unreachable = `The file store cannot be reached. An administrator has to check that it runs, and s3URL ${configuration}.`;
const unknownHost = `The host of the file store is not known. An administrator has to correct s3URL ${configuration}.`;
const notS3 = `The address of the file store does not respond like S3. An administrator has to correct s3URL ${configuration}.`;
const wrongRegion = (error: SdkError): string => {
  const region = error.$response?.headers?.["x-amz-bucket-region"] ?? error.Region;
  const known = typeof region === "string" && /^[a-z\d-]{1,40}$/.test(region) ? ` to ${region}` : "";
  return `The bucket is in another region. An administrator has to set s3Region${known}, and s3URL to the address of that region, ${configuration}.`;
};

/** Kind of configuration that names the bucket. */
export type BucketUse = "fileset" | "dataset" | "own data";

const fieldOf: Readonly<Record<BucketUse, string>> = {
  fileset: "s3Bucket of the fileset",
  dataset: "the source of the dataset",
  "own data": "ownData.bucket of the settings",
};

/** Messages by what the service, the SDK or the system calls a failure. */
const messages: Readonly<Record<string, string | ((error: SdkError, bucket: string, use: BucketUse) => string)>> = {
  NoSuchBucket: (_, bucket, use) =>
    `The file store has no bucket '${bucket}'. An administrator has to create it, or to correct ${fieldOf[use]}.`,
  InvalidBucketName: (_, bucket, use) => `'${bucket}' cannot be the name of a bucket. An administrator has to correct ${fieldOf[use]}.`,
  AccessDenied: (_, bucket) =>
    `The file store does not allow the portal to do this in the bucket '${bucket}'. An administrator has to grant its credentials the permissions named in the operator guide.`,
  InvalidAccessKeyId: credentialsRefused,
  XAdminUserNotFound: credentialsRefused,
  SignatureDoesNotMatch: credentialsRefused,
  InvalidToken: credentialsRefused,
  ExpiredToken: credentialsRefused,
  CredentialsProviderError:
    "The portal has no credentials for the file store. An administrator has to set FAIRWAY_S3_ACCESS_KEY_ID and FAIRWAY_S3_SECRET_ACCESS_KEY.",
  RequestTimeTooSkewed:
    "The clocks of the portal and the file store differ too much. An administrator has to set the clock of the portal's machine.",
  PermanentRedirect: wrongRegion,
  TemporaryRedirect: wrongRegion,
  AuthorizationHeaderMalformed: wrongRegion,
  IllegalLocationConstraintException: wrongRegion,
  SlowDown: tooBusy,
  ServiceUnavailable: tooBusy,
  ThrottlingException: tooBusy,
  TooManyRequests: tooBusy,
  QuotaExceeded: noRoom,
  InsufficientStorage: noRoom,
  XMinioStorageFull: noRoom,
  InvalidObjectState: "The file is in an archive of the file store. An administrator has to restore it there before it can be read.",
  KeyTooLongError: "The name of the file with its folders is too long for the file store.",
  ObjectParentIsFile: "The file store cannot keep a file below a name that is a file already.",
  ExistingObjectIsDirectory: "The file store cannot keep a file with the name of a folder.",
  AddressRefused:
    "The portal does not call the address of the file store. The operator has to allow it in FAIRWAY_UPSTREAM_ADDRESSES, or an administrator to correct s3URL.",
  AnswerTooLarge: notS3,
  TimeoutError: tooSlow,
  ETIMEDOUT: tooSlow,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EPIPE: unreachable,
  EPROTO: `The file store does not speak https. An administrator has to correct s3URL ${configuration}.`,
};

const untrustedCertificate =
  "The portal does not trust the certificate of the file store. The operator has to name its issuer in NODE_EXTRA_CA_CERTS, or to renew the certificate.";
const certificateCodes = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|ERR_SSL_)/;

/** Reasons for responses without a body. */
const byStatus: Readonly<Record<number, string>> = {
  301: "PermanentRedirect",
  307: "TemporaryRedirect",
  403: "AccessDenied",
  429: "TooManyRequests",
  503: "SlowDown",
  507: "InsufficientStorage",
};

/** Whether it is the service's or the SDK's failure, and not one of the content or of this machine. */
export const isStoreError = (error: unknown): error is Error => error instanceof Error && failureOf(error) !== undefined;

/** The sentence for users, which tells an administrator what to do. The cause goes to the log. */
export function storeFailed(error: Error, bucket: string, use: BucketUse = "fileset"): StoreFailed {
  const { name, message } = failureOf(error) ?? { name: error.name, message: undefined };
  const sentence = typeof message === "function" ? message(error, bucket, use) : message;
  // Not the error itself, which may hold the access key and signatures.
  const cause = new Error(`${name}: ${error.message.slice(0, 500)}`);
  return new StoreFailed(sentence ?? `The file store failed (${name.slice(0, 60)}). Try again later.`, { cause });
}

export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error ? (error as SdkError).$metadata?.httpStatusCode : undefined;

function failureOf(error: SdkError): { name: string; message: (typeof messages)[string] | undefined } | undefined {
  const status = statusOf(error);
  const code = typeof error.code === "string" ? error.code : "";
  for (const name of [error.name, code, byStatus[status ?? 0] ?? ""]) {
    const message = Object.hasOwn(messages, name) ? messages[name] : undefined;
    if (message !== undefined) return { name, message };
  }
  if (certificateCodes.test(code)) return { name: code, message: untrustedCertificate };
  if (error.$response !== undefined && error.message.includes("Deserialization error")) {
    return { name: "NotS3", message: notS3 };
  }
  return status === undefined && error.$metadata === undefined ? undefined : { name: error.name, message: undefined };
}
