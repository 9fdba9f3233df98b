import type { DatasetAccess } from "@fairway/contract/dataset-access";
import type { DatasetSchema } from "@fairway/contract/datasets";
import type { DescriptionSuggestion } from "@fairway/contract/description-suggestions";
import type { ErrorBody } from "@fairway/contract/errors";
import type { NotificationPage } from "@fairway/contract/notifications";
import { beforeEach, expect, it } from "vitest";
import { internalDatasets } from "#entities/entity-types.ts";
import { catalogApp } from "#testing/catalog-app.ts";
import { addDataset, buildColumn } from "#testing/dataset-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp(catalogApp, [
  "dataset_descriptions",
  "community_description_revisions",
  "description_suggestions",
  "notifications",
  "api_keys",
]);

const storms = "/datasets/nature/storms";
const suggestionsOf = (dataset: string) => `${dataset}/description/suggestions`;

const suggest = (token: string, columnName: string | null, description: string, dataset = storms) =>
  shared().gateway.call<DescriptionSuggestion & ErrorBody>("PUT", suggestionsOf(dataset), { token, body: { columnName, description } });
const list = async (token: string, dataset = storms) =>
  (await shared().gateway.call<DescriptionSuggestion[]>("GET", suggestionsOf(dataset), { token })).body;
const counts = async (token: string) => (await shared().gateway.call<unknown[]>("GET", "/datasets/suggestions", { token })).body;
const decide = (token: string, { id, description, replaces }: DescriptionSuggestion, decision: string, more: object = {}) =>
  shared().gateway.call("PUT", `${suggestionsOf(storms)}/${id}/decision`, { token, body: { decision, description, replaces, ...more } });
const withdraw = (token: string, id: string) => shared().gateway.call("DELETE", `${suggestionsOf(storms)}/${id}`, { token });
const saveCommunity = (token: string, description: string, columns: Record<string, string> = {}) =>
  shared().gateway.call("PUT", `${storms}/description/community`, {
    token,
    body: {
      description,
      columnDescriptions: Object.entries(columns).map(([columnName, text]) => ({ columnName, description: text })),
    },
  });
const schema = async (token: string) => (await shared().gateway.call<DatasetSchema>("GET", `${storms}/schema`, { token })).body;
const community = async (column: string) => (await schema(shared().ada)).columns.find(({ name }) => name === column)?.communityDescription;
const notified = async (token: string) =>
  (await shared().gateway.call<NotificationPage>("GET", "/notifications", { token })).body.notifications.map(({ title, text, link }) => [
    title,
    text,
    link,
  ]);

const link = "/data-catalog/nature/storms";

beforeEach(async () => {
  await saveCommunity(shared().ada, "Tracks.", { Wind_Speed: "In knots." });
});

it("users without schema-edit suggest a description, replace and withdraw it; editors see all, others their own only", async () => {
  const { ada, grace, root } = shared();
  const first = await suggest(grace, "Wind_Speed", "In knots, in steps of 5.");
  expect([first.status, first.body]).toEqual([
    200,
    {
      id: expect.any(String),
      columnName: "Wind_Speed",
      description: "In knots, in steps of 5.",
      replaces: "In knots.",
      username: "grace",
      name: "Grace Hopper",
      isOwn: true,
      suggestedMs: expect.any(Number),
    },
  ]);
  await suggest(root, null, "Tracks of storms.");
  const again = await suggest(grace, "Wind_Speed", "In knots, rounded.");
  expect(again.body.id).toBe(first.body.id);
  expect((await list(ada)).map(({ username, description, isOwn }) => [username, description, isOwn])).toEqual([
    ["grace", "In knots, rounded.", false],
    ["root", "Tracks of storms.", false],
  ]);
  expect((await list(grace)).map(({ description }) => description)).toEqual(["In knots, rounded."]);
  const [dataset, newestMs] = [{ datasetCategory: "nature", datasetId: "storms" }, expect.any(Number)];
  expect(await counts(ada)).toEqual([{ dataset, suggestions: 2, newestMs }]);
  expect(await counts(grace)).toEqual([{ dataset, suggestions: 1, newestMs }]);

  for (const token of [ada, root]) expect((await withdraw(token, first.body.id)).status).toBe(404);
  expect((await withdraw(grace, first.body.id)).status).toBe(204);
  expect([await list(grace), await counts(grace)]).toEqual([[], []]);
});

it("an approved suggestion becomes the community description, with who suggested and who approved it, and its author is notified", async () => {
  const { ada, grace, gateway } = shared();
  const { body } = await suggest(grace, "Wind_Speed", "In knots, in steps of 5.");
  expect((await decide(grace, body, "approve")).status).toBe(403);
  expect((await decide(ada, body, "approve")).status).toBe(204);
  expect(await community("Wind_Speed")).toBe("In knots, in steps of 5.");
  expect((await schema(grace)).communityDescription).toBe("Tracks.");
  const revisions = await gateway.call<Record<string, unknown>[]>("GET", `${storms}/description/community/revisions`, { token: grace });
  expect(revisions.body.map(({ version, username, suggestedBy }) => [version, username, suggestedBy])).toEqual([
    [2, "ada", "grace"],
    [1, "ada", null],
  ]);
  expect(await list(ada)).toEqual([]);
  expect((await decide(ada, body, "approve")).status).toBe(404);
  expect(await notified(grace)).toEqual([
    ["Your suggestion for storms was approved", "ada approved your description of the column Wind_Speed.", link],
  ]);
});

it("the author of a declined suggestion gets the reason and the text back", async () => {
  const { ada, grace } = shared();
  const { body } = await suggest(grace, null, "Track of a <b>storm</b>.");
  expect((await decide(ada, body, "decline", { reason: "Storms, not one." })).status).toBe(204);
  expect((await schema(grace)).communityDescription).toBe("Tracks.");
  const text = "ada declined your description of the dataset.\nReason: Storms, not one.\nYou suggested: Track of a <b>storm</b>.";
  expect(await notified(grace)).toEqual([["Your suggestion for storms was declined", text, link]]);
  const own = await suggest(ada, null, "Tracks of storms.");
  await decide(ada, own.body, "decline");
  expect(await notified(ada)).toEqual([]);
});

it("approves only what the reviewer has read: neither a replaced suggestion nor over another description", async () => {
  const { ada, grace } = shared();
  const { body: read } = await suggest(grace, "Wind_Speed", "In knots, in steps of 5.");
  await suggest(grace, "Wind_Speed", "In furlongs.");
  const replaced = await decide(ada, read, "approve");
  expect([replaced.status, replaced.body.errors]).toEqual([409, [expect.objectContaining({ code: "stale-version", path: "description" })]]);
  expect((await decide(ada, read, "decline")).status).toBe(409);
  const [newest] = await list(ada);
  if (!newest) throw new Error("the suggestion is missing");
  await saveCommunity(ada, "Tracks.", { Wind_Speed: "In meters per second." });
  const changed = await decide(ada, newest, "approve");
  expect([changed.status, changed.body.errors]).toEqual([409, [expect.objectContaining({ code: "stale-version", path: "replaces" })]]);
  expect(await community("Wind_Speed")).toBe("In meters per second.");
  // Another column's change does not matter.
  await saveCommunity(ada, "Tracks.", { lat: "North." });
  expect((await decide(ada, { ...newest, replaces: "In meters per second." }, "approve")).status).toBe(204);
  expect([await community("Wind_Speed"), await community("lat")]).toEqual(["In furlongs.", "North."]);
});

it("of reviewers who decide at once, one succeeds, and suggestions for different columns do not overwrite each other", async () => {
  const { ada, grace, root } = shared();
  const [{ body: wind }, { body: lat }] = [await suggest(grace, "Wind_Speed", "Gusts."), await suggest(root, "lat", "North.")];
  const answers = await Promise.all([...Array.from({ length: 5 }, () => decide(ada, wind, "approve")), decide(ada, lat, "approve")]);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([204, 204, 404, 404, 404, 404]);
  expect([await community("Wind_Speed"), await community("lat")]).toEqual(["Gusts.", "North."]);
});

it("reviewers have one unread notification per dataset, while suggestions are open, and those who may not review have none", async () => {
  const { ada, grace, root } = shared();
  const { body: first } = await suggest(grace, "Wind_Speed", "Gusts.");
  await suggest(grace, "Wind_Speed", "Gusts of wind.");
  const { body: second } = await suggest(root, null, "Tracks of storms.");
  expect(await notified(ada)).toEqual([["2 suggestions to review for storms", "Ruth Root suggests a description of the dataset.", link]]);
  expect([await notified(grace), await notified(root)]).toEqual([[], []]);
  await withdraw(root, second.id);
  expect(await notified(ada)).toHaveLength(1);
  await withdraw(grace, first.id);
  expect(await notified(ada)).toEqual([]);
});

it("a reviewer no longer hears of a column that is withheld since", async () => {
  const { ada, grace, entities } = shared();
  await addDataset(
    { entities },
    { id: "buoys", category: "nature", schema: { columns: [buildColumn("id", "integer"), buildColumn("quagga", "STRING")] } },
  );
  await suggest(grace, "quagga", "An animal.", "/datasets/nature/buoys");
  expect(await notified(ada)).toEqual([
    ["1 suggestion to review for buoys", "Grace Hopper suggests a description of the column quagga.", "/data-catalog/nature/buoys"],
  ]);
  const { body } = await entities.get(internalDatasets, "buoys");
  const access: DatasetAccess = { columns: [{ names: ["quagga"], roles: ["zoo"], others: "withheld" }] };
  await entities.replace(internalDatasets, "buoys", { ...body, access });
  expect([await notified(ada), await counts(ada)]).toEqual([[], []]);
  expect((await shared().gateway.call<NotificationPage>("GET", "/notifications", { token: ada })).body).toMatchObject({
    unread: 0,
    total: 0,
  });
  // A suggestion for the dataset itself counts without it.
  await suggest(grace, null, "Where buoys are.", "/datasets/nature/buoys");
  expect((await notified(ada)).map(([title]) => title)).toEqual(["1 suggestion to review for buoys"]);
});

it("refuses the present text, blank and long texts, unknown columns, and more suggestions than a user may have open", async () => {
  const { grace } = shared();
  const problems = async (columnName: string | null, description: string) => {
    const { status, body } = await suggest(grace, columnName, description);
    return [status, body.errors.map(({ code, path }) => [code, path])];
  };
  expect(await problems(null, "Tracks.")).toEqual([400, [["invalid-value", "description"]]]);
  expect(await problems(null, " \n")).toEqual([400, [["invalid-request", "description"]]]);
  expect(await problems("lat", "x".repeat(5_001))).toEqual([400, [["invalid-request", "description"]]]);
  expect(await problems(null, "x".repeat(20_001))).toEqual([400, [["invalid-request", "description"]]]);
  expect(await problems("altitude", "High.")).toEqual([400, [["unknown-column", "columnName"]]]);
  const columns = [null, "lat", "lng", "place", "at"];
  const answers = await Promise.all(columns.map((column) => suggest(grace, column, "Something.")));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 200, 429, 429]);
});

it("datasets that a user may not know of are in no list, count or notification of suggestions, and neither are columns that are gone", async () => {
  const { ada, grace, gateway, entities } = shared();
  const secrets = "/datasets/money/secrets";
  expect((await suggest(grace, null, "Found.", secrets)).status).toBe(404);
  expect((await gateway.call("GET", suggestionsOf(secrets), { token: grace })).status).toBe(404);
  const { body } = await suggest(ada, null, "Known.", secrets);
  expect(await counts(grace)).toEqual([]);
  const elsewhere = await gateway.call("PUT", `${suggestionsOf(storms)}/${body.id}/decision`, {
    token: ada,
    body: { decision: "approve", description: "Known.", replaces: "" },
  });
  expect(elsewhere.status).toBe(404);
  // A dataset that is disabled while a suggestion and a notification about it are open.
  await addDataset({ entities }, { id: "harbors", category: "nature" });
  const harbors = "/datasets/nature/harbors";
  await suggest(grace, "id", "The number of the harbor.", harbors);
  const withdrawn = await suggest(grace, null, "Where ships rest.", harbors);
  expect([await notified(ada), await counts(grace)]).toEqual([[expect.anything()], [expect.anything()]]);
  await entities.setEnabled(internalDatasets, "harbors", false);
  expect([await notified(ada), await counts(grace)]).toEqual([[], []]);
  expect((await gateway.call("GET", suggestionsOf(harbors), { token: ada })).status).toBe(404);
  expect((await gateway.call("DELETE", `${suggestionsOf(harbors)}/${withdrawn.body.id}`, { token: grace })).status).toBe(204);
  // A column that a schema update has removed.
  await entities.setEnabled(internalDatasets, "harbors", true);
  await gateway.database.pool.query("update description_suggestions set column_name = 'gone' where column_name = 'id'");
  const [known] = await list(ada, harbors);
  expect([known, await counts(grace)]).toEqual([undefined, []]);
});

it("an API key reads the suggestions of the datasets in its reach only", async () => {
  const { ada, grace, gateway } = shared();
  await suggest(grace, null, "Tracks of storms.");
  await suggest(grace, null, "Where planes land.", "/datasets/traffic/airports");
  const { body } = await gateway.call<{ key: string }>("POST", "/apiKeys", {
    token: ada,
    body: { name: "reader", datasets: [{ datasetCategory: "nature", datasetId: "storms" }] },
  });
  const headers = { "x-api-key": body.key };
  const found = await gateway.call<{ dataset: { datasetId: string } }[]>("GET", "/datasets/suggestions", { headers });
  expect(found.body.map(({ dataset }) => dataset.datasetId)).toEqual(["storms"]);
  expect((await gateway.call("GET", suggestionsOf("/datasets/traffic/airports"), { headers })).status).toBe(404);
  expect((await gateway.call("PUT", suggestionsOf(storms), { headers, body: { columnName: null, description: "x" } })).status).toBe(403);
});
