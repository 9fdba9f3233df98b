import { PutObjectCommand } from "@aws-sdk/client-s3";
import { operator } from "@fairway/contract/columns";
import { describe } from "vitest";
import { datasetOver } from "#query/duckdb/test-files.ts";
import { describeEngine, suiteColumns, suiteSelect } from "#testing/engine-suite.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { S3Server, s3Program } from "#testing/s3-server.ts";
import { bucketBench } from "./test-bucket.ts";

if (s3Program === undefined) noteNotRun("datasets on a real S3 server", "versitygw is not installed, see docs/decisions/0310");

describe.runIf(s3Program !== undefined)("with versitygw", () => {
  describeEngine("of files in a bucket (DuckDB)", { sorts: true, pages: true, counts: true, maps: true }, async () => {
    const server = await S3Server.start(s3Program ?? "");
    const bucket = await server.createBucket();
    const bench = await bucketBench({ settings: server.settings(), address: server.address, allowed: [bucket] });
    // In two files, in the order of the rows.
    for (const [part, where] of ["n <= 4", "n > 4"].entries()) {
      const Body = await bench.fileOf(`select * from (${suiteSelect}) where ${where} order by n`);
      await server.client.send(new PutObjectCommand({ Bucket: bucket, Key: `suite/part-${part}.parquet`, Body }));
    }
    return {
      engine: bench.engine,
      dataset: datasetOver(`s3://${bucket}/suite/*.parquet`, suiteColumns),
      broken: datasetOver(`s3://${bucket}/absent/*.parquet`, suiteColumns),
      operators: { n: operator.options, name: operator.options },
      close: async () => {
        await bench.close();
        await server.stop();
      },
    };
  });
});
