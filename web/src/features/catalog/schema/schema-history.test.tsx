import type { DatasetSchema } from "@fairway/contract/datasets";
import { type DescriptionRevision, descriptions } from "@fairway/contract/descriptions";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { Refused, Versioned } from "#testing/contract-gateway.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const address = "/data-catalog/Tropical%20weather/storm-tracks";
const editor = { roles: ["schema-edit"] };
const names = ["name", "wind"];

/** The states of the community's descriptions, oldest first: of the dataset, of `name` and of `wind`. */
let states: (readonly [dataset: string, name: string, wind: string])[];

const schema = (): DatasetSchema => {
  const [communityDescription, ...columns] = states.at(-1) ?? ["", "", ""];
  return {
    dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
    description: "Tracks of storms.",
    communityDescription,
    userDescription: "",
    containsLocationData: true,
    supportsMapResults: true,
    columns: names.map((name, index) => ({
      id: name,
      name,
      type: 0,
      description: "",
      communityDescription: columns[index] ?? "",
      userDescription: "",
    })),
  };
};
const etag = () => `"c${states.length}.u0.x"`;

const revisionAt = (index: number): DescriptionRevision => {
  const [description = "", ...columns] = states[index] ?? [];
  return {
    description,
    columns: names.map((name, at) => ({ name, description: columns[at] ?? "" })),
    version: index + 1,
    username: index === 0 ? "ada" : "grace",
    suggestedBy: index === 1 ? "joan" : null,
    savedMs: Date.UTC(2026, 10, 1 + index),
  };
};

beforeEach(() => {
  states = [
    ["Tracks.", "", ""],
    ["Tracks.", "Names return.", "In knots."],
    ["Count storms.", "Names return.", "In meters."],
  ];
  gateway.answer(descriptions.schema, () => new Versioned(schema(), etag()));
  // Two revisions per page.
  gateway.answer(descriptions.communityRevisions, ({ query: { before = states.length + 1 } }) =>
    states
      .map((_, index) => revisionAt(index))
      .filter(({ version }) => version < before)
      .toReversed()
      .slice(0, 2),
  );
  gateway.answer(descriptions.saveCommunity, ({ body, ifMatch }) => {
    if (ifMatch !== etag()) throw new Refused("stale-version", "These descriptions have changed.");
    const [, ...columns] = states.at(-1) ?? ["", "", ""];
    const texts = names.map(
      (name, at) => body.columnDescriptions.find(({ columnName }) => columnName === name)?.description ?? columns[at] ?? "",
    );
    states.push([body.description, texts[0] ?? "", texts[1] ?? ""]);
    return { description: body.description, columns: names.map((name, at) => ({ name, description: texts[at] ?? "" })) };
  });
});

const dialog = () => page.getByRole("dialog", { name: "History of community descriptions of storm-tracks" });
const revisions = () => dialog().getByRole("list", { name: "Revisions" }).getByRole("button");
const changed = () => dialog().getByRole("list", { name: "Changed descriptions" }).getByRole("listitem");
const openHistory = async () => {
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "History of Community Descriptions" }).click();
};
const confirmRestore = async () =>
  page.getByRole("dialog", { name: "Restore these descriptions?" }).getByRole("button", { name: "Restore", exact: true }).click();

it("shows who changed which description, and restores a state or a single description as a new revision", async () => {
  await openScreen(address, editor);
  await openHistory();
  await expectTexts(revisions(), [/by grace$/, /suggested by joan, approved by grace$/]);
  await expectTexts(changed(), [/^Dataset.*Tracks\..*Count storms\./, /^wind.*In knots\..*In meters\./]);
  await expect.element(dialog().getByText("Current version")).toBeVisible();
  await expectAccessible();

  // The state before the last one of a page is on the next page.
  await revisions().nth(1).click();
  await expectTexts(changed(), [/^name.*Names return\./, /^wind.*In knots\./]);
  await expectTexts(revisions(), [/by grace$/, /approved by grace$/, /by ada$/]);
  await expectAddress(`${address}?dialog=history&revision=2`);

  await dialog().getByRole("button", { name: "Restore only wind" }).click();
  await confirmRestore();
  await expect.poll(() => states.at(-1)).toEqual(["Count storms.", "Names return.", "In knots."]);
  await expectTexts(revisions(), [/by grace$/, /by grace$/, /approved by grace$/, /by ada$/]);

  await revisions().nth(3).click();
  await dialog().getByRole("button", { name: "Restore this version" }).click();
  await confirmRestore();
  await expect.poll(() => states.at(-1)).toEqual(["Tracks.", "", ""]);
  await expect.element(dialog().getByText("Current version")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expectCount(dialog(), 0);
  await expectAddress(address);
  await expect.element(page.getByRole("region", { name: "Community description" })).toHaveTextContent("Tracks.");
});

it("does not restore over what someone else saved meanwhile, but shows it", async () => {
  await openScreen(`${address}?dialog=history&revision=1`, editor);
  await expect.element(dialog().getByRole("button", { name: "Restore this version" })).toBeVisible();
  states.push(["Theirs.", "Names return.", "In meters."]);
  await dialog().getByRole("button", { name: "Restore this version" }).click();
  await confirmRestore();
  await expect.element(page.getByRole("alert").filter({ hasText: "Someone else saved descriptions in the meantime." })).toBeVisible();
  expect(states).toHaveLength(4);
  await expect.element(revisions().nth(3)).toBeVisible();
  await dialog().getByRole("button", { name: "Restore this version" }).click();
  await confirmRestore();
  await expect.poll(() => states.at(-1)).toEqual(["Tracks.", "", ""]);
});

it("without schema-edit the history can only be read, says when there is none, and can be loaded again", async () => {
  gateway.refuse(descriptions.communityRevisions, "timed-out", "It took too long.", { times: 1 });
  await openScreen(`${address}?dialog=history&revision=2`);
  await dialog().getByRole("button", { name: "Retry" }).click();
  await expectTexts(changed(), [/^name/, /^wind/]);
  await expectCount(dialog().getByRole("button", { name: /^Restore/ }), 0);
  await openScreen(`${address}?dialog=history&revision=77`);
  await expect.element(dialog().getByText("This revision is no longer available. Choose another one.")).toBeVisible();
  gateway.answer(descriptions.communityRevisions, () => []);
  await openScreen(`${address}?dialog=history`);
  await expect.element(dialog().getByText("No one has saved community descriptions for this dataset yet.")).toBeVisible();
});
