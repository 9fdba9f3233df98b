import { setTimeout as delay } from "node:timers/promises";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import { CachedReads } from "#process/cached-read.ts";

interface Stores {
  /** Undefined if the bucket can be used. */
  problemOf(bucket: string, allowsUploads: boolean): Promise<string | undefined>;
}

interface WaitPolicy {
  readonly waitMs: number;
  readonly warnsOnTimeout: boolean;
}

type Warnings = readonly EntityWarning[];

const maxCached = 1_000;
const tooSlow: Warnings = [
  { code: "not-checked", message: "It took too long to find out whether the bucket can be used.", path: "s3Bucket" },
];

/** Warns if the files of a fileset cannot be listed, or browsers cannot upload. Filesets of one bucket share a check. */
export function bucketWarnings(stores: Stores) {
  const checks = new CachedReads<Warnings>(maxCached);
  return async (fileset: Readonly<Record<string, unknown>>, _facts: unknown, policy: WaitPolicy): Promise<Warnings> => {
    const { s3Bucket: bucket, allowsUploads } = fileset;
    if (typeof bucket !== "string" || bucket === "") return [];
    const key = JSON.stringify([bucket, allowsUploads]);
    const cached = policy.warnsOnTimeout ? undefined : checks.peek(key);
    if (cached !== undefined) return cached;
    const check = checks.read(key, async () => {
      const message = await stores.problemOf(bucket, allowsUploads === true);
      return message === undefined ? [] : [{ code: "bucket-unusable", message, path: "s3Bucket" }];
    });
    const timeout = new AbortController();
    const found = await Promise.race([check, delay(policy.waitMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
    return found ?? (policy.warnsOnTimeout ? tooSlow : []);
  };
}
