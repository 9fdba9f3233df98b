import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { externalOver } from "./test-upstream.ts";
import { largeResponseBenches, search } from "./test-large-responses.ts";

const benches = largeResponseBenches();

it("refuses responses that become too large by decompression while the upstream is still sending", async () => {
  for (const encoding of ["gzip", "x-gzip"]) {
    benches.limitedBench.respond((_, response) => {
      response.setHeader("content-encoding", encoding);
      response.write(gzipSync(Buffer.alloc(20_000_000)).subarray(0, -20));
    });
    await expect(search(benches.limitedBench, externalOver(benches.limitedBench.url))).rejects.toMatchObject({
      reason: "upstream",
      message: "The service behind this dataset returned more than 5 MB. Narrow the search with more filters.",
    });
  }
});
