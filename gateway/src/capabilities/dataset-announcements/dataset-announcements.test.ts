import type { DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import type { ErrorBody } from "@fairway/contract/errors";
import { expect, it } from "vitest";
import { catalogApp } from "#testing/catalog-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp(catalogApp, ["dataset_announcements"]);

type Body = DatasetAnnouncement & ErrorBody & { current?: DatasetAnnouncement | null };

const storms = "nature/storms";
const ref = (path: string) => {
  const [datasetCategory = "", datasetId = ""] = path.split("/");
  return { datasetCategory, datasetId };
};
const save = (dataset: string, body: object, token = shared().root) =>
  shared().gateway.call<Body>("PUT", `/admin/datasetAnnouncements/${dataset}`, { token, body });
const remove = (dataset: string, version?: number, token = shared().root) =>
  shared().gateway.call<Body>("DELETE", `/admin/datasetAnnouncements/${dataset}${version === undefined ? "" : `?version=${version}`}`, {
    token,
  });
const list = async (token: string, path = "/datasets/announcements") =>
  (await shared().gateway.call<DatasetAnnouncement[]>("GET", path, { token })).body;
const note = (text: string, version?: number) => ({ kind: "note", text, ...(version === undefined ? {} : { version }) });

it("an announcement is seen by those who may read the dataset, its replacement by those who may read that as well", async () => {
  const { ada, grace, root } = shared();
  const saved = await save(storms, { kind: "deprecated", text: "No new seasons.", replacement: ref("money/secrets") });
  expect(saved.status).toBe(200);
  // Nobody needs to read a dataset to announce something on it.
  expect((await save("money/secrets", note("For **readers**."))).status).toBe(200);
  expect(saved.body).toMatchObject({ dataset: ref(storms), kind: "deprecated", text: "No new seasons.", endMs: null, username: "root" });
  expect(Math.abs(Date.now() - saved.body.savedMs)).toBeLessThan(60_000);
  expect((await list(ada)).map(({ dataset, replacement }) => [dataset.datasetId, replacement])).toEqual([
    ["secrets", null],
    ["storms", ref("money/secrets")],
  ]);
  const seenByGrace = await list(grace);
  expect(seenByGrace.map(({ dataset, replacement }) => [dataset.datasetId, replacement])).toEqual([["storms", null]]);
  expect(JSON.stringify(seenByGrace)).not.toContain("secrets");
  expect((await list(root, "/admin/datasetAnnouncements")).map(({ replacement }) => replacement)).toEqual([null, ref("money/secrets")]);
});

it("only administrators announce, and see the list of all announcements", async () => {
  const { ada } = shared();
  expect((await save(storms, note("Vandalized."), ada)).status).toBe(403);
  await save(storms, note("Being reloaded."));
  expect((await remove(storms, undefined, ada)).status).toBe(403);
  expect((await shared().gateway.call("GET", "/admin/datasetAnnouncements", { token: ada })).status).toBe(403);
  expect((await list(ada)).map(({ text }) => text)).toEqual(["Being reloaded."]);
});

it("an announcement ends at its time, and its dataset's row stays for administrators", async () => {
  const { grace, root } = shared();
  await save(storms, { ...note("Being reloaded."), endMs: Date.now() + 3_600_000 });
  expect(await list(grace)).toHaveLength(1);
  await shared().gateway.database.pool.query("update dataset_announcements set ends_at = now() - interval '1 second'");
  expect(await list(grace)).toEqual([]);
  expect(await list(root, "/admin/datasetAnnouncements")).toHaveLength(1);
});

it("a save or removal of an older version is refused with what is stored; one without a version overwrites", async () => {
  const first = await save(storms, note("One.", 0));
  const second = await save(storms, note("Two.", first.body.version));
  expect(second.body.version).toBeGreaterThan(first.body.version);
  for (const stale of [await save(storms, note("Three.", first.body.version)), await save(storms, note("Three.", 0))]) {
    expect([stale.status, stale.body.errors[0]?.code, stale.body.current?.text]).toEqual([409, "stale-version", "Two."]);
  }
  expect((await remove(storms, first.body.version)).body.current).toMatchObject({ text: "Two." });
  expect((await save(storms, note("Three."))).body.text).toBe("Three.");
  expect((await remove(storms)).status).toBe(204);
  const gone = await save(storms, note("Four.", second.body.version));
  expect([gone.status, gone.body.current]).toEqual([409, null]);
  expect((await remove(storms)).status).toBe(404);
  // A version is never used twice, or a removed announcement could pass for its successor.
  expect((await save(storms, note("Five.", 0))).body.version).toBeGreaterThan(second.body.version + 1);
});

it("a version that no announcement can have is refused", async () => {
  expect((await save(storms, note("One.", Number.MAX_SAFE_INTEGER))).status).toBe(400);
  expect((await save(storms, note("One.", 0))).status).toBe(200);
});

it("of many saves of one version at once, one succeeds", async () => {
  const racers = (version: number) => Promise.all(Array.from({ length: 6 }, (_, index) => save(storms, note(`Racer ${index}.`, version))));
  const created = await racers(0);
  const statuses = (saves: typeof created) => saves.map(({ status }) => status).toSorted((one, other) => one - other);
  expect(statuses(created)).toEqual([200, 409, 409, 409, 409, 409]);
  const changed = await racers(created.find(({ status }) => status === 200)?.body.version ?? 0);
  expect(statuses(changed)).toEqual([200, 409, 409, 409, 409, 409]);
});

it.each([
  ["a text over 1,000 characters", note("x".repeat(1_001)), "text"],
  ["a blank note", note(" \n"), "text"],
  ["a null character", note("a\0b"), "text"],
  ["an unknown kind", { kind: "urgent", text: "Now." }, "kind"],
  ["a note with a replacement", { ...note("Look there."), replacement: ref("traffic/airports") }, "replacement"],
  ["itself as the replacement", { kind: "deprecated", text: "", replacement: ref(storms) }, "replacement"],
  ["a replacement that does not exist", { kind: "deprecated", text: "", replacement: ref("nature/gone") }, "replacement"],
  ["an end in the past", { ...note("Over."), endMs: 1_000 }, "endMs"],
  ["an unknown field", { ...note("Hi."), color: "red" }, "color"],
])("refuses %s, naming the field", async (_, body, path) => {
  const refused = await save(storms, body);
  expect([refused.status, refused.body.errors[0]?.path]).toEqual([400, path]);
  expect(await list(shared().root, "/admin/datasetAnnouncements")).toEqual([]);
});

it("refuses an announcement on a dataset that does not exist, keeps hostile text as it is, and accepts a deprecation without text", async () => {
  expect((await save("nature/gone", note("Hello?"))).status).toBe(404);
  const hostile = `<script>alert(1)</script> [x](javascript:alert(1)) '); drop table dataset_announcements; --`;
  expect((await save(storms, { kind: "warning", text: hostile })).body.text).toBe(hostile);
  expect((await save(storms, { kind: "deprecated", text: "" })).status).toBe(200);
});
