import { Readable } from "node:stream";
import { FileCache } from "#query/bucket/file-cache.ts";

/** Copies a file of a size from an address, for tests that kill it meanwhile. */
const [folder = "", url = "", size = "0"] = process.argv.slice(2);
const cache = await FileCache.open({ folder, maxBytes: 1e9, downloadsAtOnce: 1, waitMs: 1_000 });
const read = async () => Readable.fromWeb((await fetch(url)).body as Parameters<typeof Readable.fromWeb>[0]);
await cache.hold([{ id: "killed", path: "data.csv", size: Number(size), read }], new AbortController().signal);
