import type { Readable } from "node:stream";
import { StoreFailed } from "./storage.ts";

/** One state of an object. */
export interface ObjectState {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Changes with the content; empty if the service has none. */
  readonly etag: string;
  readonly modifiedMs: number;
}

export interface ObjectPage {
  /** In order of their keys. */
  readonly objects: readonly ObjectState[];
  /** Prefixes one level below, each ending in a slash; empty unless the page was asked for one level. */
  readonly folders: readonly string[];
  readonly next: string | undefined;
}

/** Reads the objects of one service. Rejects with StoreFailed; an aborted signal rejects with its reason. */
export interface BucketReader {
  /** The address of the service. */
  readonly address: string;
  /** Objects whose keys start with `prefix`; with `oneLevel`, only those without a slash after it. */
  list(
    bucket: string,
    request: { readonly prefix: string; readonly oneLevel: boolean; readonly next: string | undefined },
    signal: AbortSignal,
  ): Promise<ObjectPage>;
  /** The content of exactly this state of an object, from a byte on. Rejects with ObjectChanged. */
  read(bucket: string, object: ObjectState, from: number, signal: AbortSignal): Promise<Readable>;
  close(): void;
}

/** The object has been replaced or removed since it was listed. */
export class ObjectChanged extends Error {
  override readonly name = "ObjectChanged";
}

/** The address of the service is not set. */
export const noService = (): StoreFailed =>
  new StoreFailed(
    "The data of the dataset are on S3, but the enabled Configuration names no S3 service. An administrator has to set s3URL.",
  );
