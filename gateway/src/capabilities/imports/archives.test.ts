import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import yazl from "yazl";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import type { DataImport } from "@fairway/contract/imports";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);

async function zipOf(contents: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(contents)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

const rain = { "rain/2023.csv": "day,rain\n2023-01-01,1.5\n2023-01-02,2\n", "rain/2024.csv": "day,rain\n2024-01-01,3\n" };
const ports = { "ports.json": '{"port": "Kiel"}\n{"port": "Ystad"}\n' };

/** Chooses a file of the archive, and waits until it has been read. */
async function take(id: string, entry: string | null): Promise<DataImport> {
  const app = shared();
  expect(await app.call("ada", "PUT", `/imports/${id}/choices`, { files: { "1": { entry } } })).toMatchObject({ status: 202 });
  return app.settled("ada", id);
}

const namesOf = ({ reading }: DataImport) => reading?.files.map(({ file }) => file);

it("takes the files of an archive with the same header as one, and offers the others", async () => {
  const app = shared();
  const read = await app.read("ada", { "data.zip": await zipOf({ ...rain, ...ports, "README.txt": "a,b" }) });
  expect(read).toMatchObject({
    status: "ready",
    reading: { rows: 3, fileCount: 2 },
    files: [
      {
        file: "data.zip",
        contents: {
          taken: { names: ["rain/2023.csv", "rain/2024.csv"], count: 2, format: "csv" },
          others: [{ names: ["ports.json"], count: 1, format: "json-lines", bytes: Buffer.byteLength(ports["ports.json"]) }],
        },
      },
    ],
  });
  expect(namesOf(read)).toEqual(["2023.csv", "2024.csv"]);

  const other = await take(read.id, "ports.json");
  expect(other).toMatchObject({ status: "ready", reading: { rows: 2 }, files: [{ contents: { taken: { names: ["ports.json"] } } }] });
  expect(other.sample?.columns.map(({ name }) => name)).toEqual(["port"]);
  // Further choices keep it.
  await app.call("ada", "PUT", `/imports/${read.id}/choices`, { files: { "1": { encoding: "utf-8" } } });
  expect(namesOf(await app.settled("ada", read.id))).toEqual(["ports.json"]);

  const again = await take(read.id, null);
  expect(again).toMatchObject({ status: "ready", reading: { rows: 3 } });
  await app.purge();
  const unpacked = (await app.stored()).filter((path) => path.startsWith(read.id) && /\/1-/.test(path));
  expect(unpacked).toHaveLength(2);

  expect(await take(read.id, "none.csv")).toMatchObject({ status: "failed", failure: { message: "'data.zip' has no file 'none.csv'." } });
});

it("asks which files of an archive are meant, unless all have one header or one was chosen", async () => {
  const app = shared();
  const read = await app.read("ada", { "data.zip": await zipOf({ ...rain, ...ports }) });
  expect(read.openQuestions).toEqual(["entry:1"]);
  expect(read.reading?.questions).toMatchObject([
    {
      question: "entry:1",
      sentence:
        "Which data of 'data.zip' is meant? It holds files that are no dataset together; rain/2023.csv and 1 more are taken for now.",
      options: [
        { option: "rain/2023.csv", label: "rain/2023.csv and 1 more" },
        { option: "ports.json", label: "ports.json" },
      ],
      taken: "rain/2023.csv",
      isAnswered: false,
    },
  ]);
  const create = () => app.call("ada", "POST", `/imports/${read.id}/dataset`, { name: "Data" });
  expect(await create()).toMatchObject({
    status: 409,
    body: {
      errors: [
        {
          code: "conflict",
          path: "answers.entry:1",
          message: "An archive holds files that are no dataset together. Answer 'entry:1', or send acceptAssumed.",
        },
      ],
    },
  });
  await app.call("ada", "PUT", `/imports/${read.id}/choices`, { answers: { "entry:1": "ports.json" } });
  expect(await app.settled("ada", read.id)).toMatchObject({ openQuestions: [], reading: { rows: 2, questions: [] } });
  await app.call("ada", "PUT", `/imports/${read.id}/choices`, { answers: { "entry:1": null } });
  expect((await app.settled("ada", read.id)).openQuestions).toEqual(["entry:1"]);
  await take(read.id, "rain/2023.csv");
  expect(await create()).toMatchObject({ status: 202 });
  await app.settled("ada", read.id);
  expect((await app.read("ada", { "rain.zip": await zipOf(rain) })).openQuestions).toEqual([]);
});

it("reads a dataset of a chosen file of an archive again from that file", async () => {
  const app = shared();
  const read = await app.read("ada", { "data.zip": await zipOf({ ...rain, ...ports }) });
  await take(read.id, "ports.json");
  expect(await app.call("ada", "POST", `/imports/${read.id}/dataset`, { name: "Ports", acceptAssumed: true })).toMatchObject({
    status: 202,
  });
  const { dataset } = await app.settled("ada", read.id);
  const into = { datasetCategory: dataset?.datasetCategory, datasetId: "Ports", mode: "read-again" };
  const started = await app.call<DataImport>("ada", "POST", "/imports", { into });
  expect(started).toMatchObject({ status: 201 });
  const again = await app.settled("ada", started.body.id);
  expect(again).toMatchObject({ status: "ready", drift: [], reading: { rows: 2 } });
  expect(namesOf(again)).toEqual(["ports.json"]);
});

it("keeps what was chosen of a file and a column when something else of it is chosen", async () => {
  const app = shared();
  const { id } = await app.read("ada", { "trips.csv": "name;size\na;1\nb;2\n" });
  const choose = async (choices: object) => {
    await app.call("ada", "PUT", `/imports/${id}/choices`, choices);
    return app.settled("ada", id);
  };
  await choose({ files: { "1": { headerLine: 0 } }, columns: { column1: { leaveOut: true } } });
  const read = await choose({ files: { "1": { delimiter: ";" } }, columns: { column1: { type: "STRING" } } });
  expect(read.reading).toMatchObject({ rows: 3, files: [{ headerLine: null }] });
  expect(read.sample?.columns.map(({ name }) => name)).toEqual(["column0"]);
});
