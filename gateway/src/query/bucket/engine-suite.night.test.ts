import { PutObjectCommand } from "@aws-sdk/client-s3";
import { operator } from "@fairway/contract/columns";
import { describe } from "vitest";
import { datasetOver } from "#query/duckdb/test-files.ts";
import { describeEngine, suiteColumns, suiteRows } from "#testing/engine-suite.ts";
import { FakeS3 } from "#testing/fake-s3.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { S3Server, s3Program } from "#testing/s3-server.ts";
import { describeSqlEngine } from "#testing/sql-engine-suite.ts";
import { bucketBench } from "./test-bucket.ts";

const duckType = { integer: "bigint", decimal: "double", BOOLEAN: "boolean", STRING: "varchar" } as Readonly<Record<string, string>>;
const literal = (value: string | number | boolean | null): string => (value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`);

describeSqlEngine("files in a bucket (DuckDB)", async () => {
  const s3 = await FakeS3.start();
  const bench = await bucketBench({ settings: s3.settings, address: s3.address });
  return {
    engine: bench.engine,
    precise: true,
    types: {
      double: "double",
      seconds: "timestamp_s",
      millis: "timestamp_ms",
      micros: "timestamp",
      nanos: "timestamp_ns",
      zoned: "timestamptz",
      fields: "struct(a integer, b varchar)",
    },
    exportFolder: bench.local.exportFolder,
    store: async (name, select) => {
      s3.put("lake", `${name}.parquet`, await bench.fileOf(select));
      return { kind: "files", glob: `s3://lake/${name}.parquet`, format: "parquet" };
    },
    absent: { kind: "files", glob: "s3://lake/absent.parquet", format: "parquet" },
    close: async () => {
      await bench.close();
      await s3.stop();
    },
  };
});

if (s3Program === undefined) noteNotRun("datasets on a real S3 server", "versitygw is not installed, see docs/decisions/0310");

describe.runIf(s3Program !== undefined)("with versitygw", () => {
  describeEngine("of files in a bucket (DuckDB)", { sorts: true, pages: true, counts: true, maps: true }, async () => {
    const server = await S3Server.start(s3Program ?? "");
    const bucket = await server.createBucket();
    const bench = await bucketBench({ settings: server.settings(), address: server.address, allowed: [bucket] });
    const casts = Object.entries(suiteColumns).map(([name, type]) => `cast("${name}" as ${duckType[type] ?? ""}) as "${name}"`);
    const values = suiteRows.map((row) => `(${Object.values(row).map(literal).join(", ")})`);
    const names = Object.keys(suiteColumns).map((name) => `"${name}"`);
    const rows = `(values ${values.join(", ")}) as t(${names.join(", ")})`;
    // In two files, in the order of the rows.
    for (const [part, where] of ["n <= 4", "n > 4"].entries()) {
      const Body = await bench.fileOf(`select * from (select ${casts.join(", ")} from ${rows}) where ${where} order by n`);
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
