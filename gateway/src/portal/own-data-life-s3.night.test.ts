import { afterAll, describe } from "vitest";
import { noteNotRun } from "#testing/not-run.ts";
import { describeOwnDataLife } from "#testing/own-data-life-suite.ts";
import { S3Server, s3Program } from "#testing/s3-server.ts";

if (s3Program === undefined) noteNotRun("own data on a real S3 server", "versitygw is not installed, see docs/decisions/0310");

describe.runIf(s3Program !== undefined)("with versitygw", () => {
  let server: S3Server | undefined;
  afterAll(() => server?.stop());

  describeOwnDataLife("in a bucket", async () => {
    server = await S3Server.start(s3Program ?? "");
    return { bucket: { server, name: await server.createBucket() } };
  });
});
