import { catalog } from "@fairway/contract/catalog";
import type { DatasetSchema } from "@fairway/contract/datasets";
import { type DescriptionSuggestion, descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { descriptions } from "@fairway/contract/descriptions";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { Refused, Versioned } from "#testing/contract-gateway.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const address = "/data-catalog/Tropical%20weather/storm-tracks";
const editor = { roles: ["schema-edit"] };
const dataset = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

const column = (name: string, communityDescription = "") => ({
  id: name,
  name,
  type: 0,
  description: `The ${name}.`,
  communityDescription,
  userDescription: "",
});

let stored: DatasetSchema;
let open: DescriptionSuggestion[];

const suggestion = (id: string, columnName: string | null, description: string, more: Partial<DescriptionSuggestion> = {}) => ({
  id,
  columnName,
  description,
  replaces: textOf(columnName),
  username: "jonas",
  name: "Jonas Keller",
  isOwn: false,
  suggestedMs: Date.UTC(2026, 10, 20, 12),
  ...more,
});

const textOf = (columnName: string | null): string =>
  columnName === null ? stored.communityDescription : (stored.columns.find(({ name }) => name === columnName)?.communityDescription ?? "");

function approve(columnName: string | null, text: string): void {
  stored =
    columnName === null
      ? { ...stored, communityDescription: text }
      : { ...stored, columns: stored.columns.map((one) => (one.name === columnName ? { ...one, communityDescription: text } : one)) };
}

beforeEach(() => {
  stored = {
    dataset,
    description: "Tracks.",
    communityDescription: "Count storms.",
    userDescription: "",
    containsLocationData: true,
    supportsMapResults: true,
    columns: [
      column("wind", "Reported in steps of 5 kt."),
      ...Array.from({ length: 20 }, (_, index) => column(`column_${index}`)),
      column("last"),
    ],
  };
  open = [];
  gateway.answer(descriptions.schema, () => new Versioned(stored, '"c1.u1.x"'));
  gateway.answer(descriptionSuggestions.list, () => open);
  gateway.answer(descriptionSuggestions.suggest, ({ body: { columnName, description } }) => {
    if (description.includes("refused")) throw new Refused("too-many-requests", "You have 100 open suggestions already.");
    const saved = suggestion(`own ${columnName}`, columnName, description, { isOwn: true, username: "ada", name: "Ada Lovelace" });
    open = [...open.filter(({ id }) => id !== saved.id), saved];
    return saved;
  });
  gateway.answer(descriptionSuggestions.withdraw, ({ params: { id } }) => {
    open = open.filter((one) => one.id !== id);
    return undefined;
  });
  gateway.answer(descriptionSuggestions.decide, ({ params: { id }, body: { decision, replaces } }) => {
    const decided = open.find((one) => one.id === id);
    if (!decided) throw new Refused("not-found", "There is no such suggestion.");
    if (decision === "approve" && replaces !== textOf(decided.columnName))
      throw new Refused("stale-version", "The description has changed.");
    if (decision === "approve") approve(decided.columnName, decided.description);
    open = open.filter((one) => one.id !== id);
    return undefined;
  });
});

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name} ?String$`) }) });
const community = (name: string) => row(name).getByRole("cell").nth(1);
const layer = () => page.getByRole("region", { name: "Community description" });
const dialog = () => page.getByRole("dialog", { name: "Suggest a description" });
const field = () => dialog().getByRole("textbox", { name: "Description", exact: true });

async function describeColumn(name: string): Promise<void> {
  const select = dialog().getByRole("combobox", { name: "Describes" });
  await select.click();
  await select.fill(name);
  await page.getByRole("option", { name, exact: true }).click();
}

it("without schema-edit, a button of its own suggests descriptions; unsent texts survive a reload, and own suggestions can be changed and withdrawn", async () => {
  await openScreen(address);
  await button("Suggest a description").click();
  await expect.element(field()).toHaveValue("Count storms.");
  await expect.element(dialog().getByRole("button", { name: "Suggest", exact: true })).toBeDisabled();
  await field().fill("Count storms, not rows.");
  await expectTexts(dialog().getByRole("insertion"), [", not rows"]);
  await describeColumn("wind");
  await expect.element(field()).toHaveValue("Reported in steps of 5 kt.");
  await field().fill("refused");
  await expectAccessible();

  await openScreen(address);
  await expect.element(field()).toHaveValue("refused");
  await dialog().getByRole("button", { name: "Suggest 2 descriptions" }).click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Not suggested: You have 100 open suggestions already.");
  await field().fill("Reported in steps.");
  await dialog().getByRole("button", { name: "Suggest", exact: true }).click();
  await expectCount(dialog(), 0);
  await expect.element(page.getByText("Description suggested", { exact: true })).toBeVisible();

  await expect.element(layer().getByRole("listitem")).toHaveTextContent(/^You suggest, 11-20-2026Count storms, not rows\.ChangeWithdraw$/);
  await expectTexts(community("wind").getByRole("deletion"), ["of 5 kt"]);
  await community("wind").getByRole("button", { name: "Change" }).click();
  await expect.element(field()).toHaveValue("Reported in steps.");
  await expect.element(dialog().getByText("It replaces your open suggestion.")).toBeVisible();
  await field().fill("");
  await expect.element(dialog().getByRole("button", { name: "Suggest", exact: true })).toBeDisabled();
  await press("Escape");
  await page
    .getByRole("dialog", { name: "Discard" })
    .getByRole("button", { name: /Discard/ })
    .click();
  await expectCount(dialog(), 0);
  await community("wind").getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("dialog", { name: "Withdraw this suggestion?" }).getByRole("button", { name: "Withdraw" }).click();
  await expectCount(community("wind").getByRole("listitem"), 0);
  await expect.element(button("1 open suggestion of yours")).toBeVisible();
  expect(gateway.received(descriptionSuggestions.suggest).map(({ body }) => body)).toEqual([
    { columnName: null, description: "Count storms, not rows." },
    { columnName: "wind", description: "refused" },
    { columnName: "wind", description: "Reported in steps." },
  ]);
});

it("with schema-edit, the footer leads to suggestions by keyboard, also in a filtered list; approving and declining move on to the next", async () => {
  open = [
    suggestion("3", "last", "The <b>last</b>."),
    suggestion("1", null, "Count storms, not rows."),
    suggestion("2", "wind", "Reported in steps of 5 kt, so averages mislead.", { replaces: "In knots." }),
  ];
  await openScreen(address, editor);
  await expectCount(button("Suggest a description"), 0);
  const footer = button("3 suggestions to review");
  await page.getByRole("textbox", { name: "Filter columns" }).fill("column_17");
  await footer.click();
  await expect.element(layer().getByRole("listitem")).toHaveFocus();
  await footer.click();
  await expect.element(community("wind").getByRole("listitem")).toHaveFocus();
  await expect.element(community("wind").getByText("The description has changed since this was suggested.")).toBeVisible();
  await expectTexts(community("wind").getByRole("insertion"), [", so averages mislead"]);
  await footer.click();
  await expect.element(community("last").getByRole("listitem")).toHaveFocus();
  await expect.element(community("last").getByText("The <b>last</b>.")).toBeVisible();
  await expectAccessible();
  await footer.click();

  await layer().getByRole("button", { name: "Approve" }).click();
  await expect.element(layer()).toHaveTextContent("Count storms, not rows.");
  await expectCount(layer().getByRole("listitem"), 0);
  await expect.element(community("wind").getByRole("listitem")).toHaveFocus();

  // Someone else saves meanwhile: nothing is overwritten, and the difference is shown anew.
  approve("wind", "In knots.");
  await community("wind").getByRole("button", { name: "Approve" }).click();
  await expect.element(page.getByRole("alert").filter({ hasText: "The suggestion could not be approved" })).toBeVisible();
  await expect.element(community("wind").getByRole("listitem")).toBeVisible();
  await expectTexts(community("wind").getByRole("deletion"), ["In knots"]);
  await community("wind").getByRole("button", { name: "Decline" }).click();
  const decline = page.getByRole("dialog", { name: "Decline this suggestion?" });
  await decline.getByRole("textbox", { name: "Reason (optional)" }).fill(" Knots are enough. ");
  await press("Enter");
  await expectCount(decline, 0);
  await expect.element(button("1 suggestion to review")).toBeVisible();
  expect(gateway.received(descriptionSuggestions.decide).map(({ body }) => body)).toMatchObject([
    { decision: "approve", description: "Count storms, not rows.", replaces: "Count storms." },
    { decision: "approve", replaces: "Reported in steps of 5 kt." },
    { decision: "decline", replaces: "In knots.", reason: "Knots are enough." },
  ]);
});

it("leads to the suggestion for a dataset without columns", async () => {
  stored = { ...stored, columns: [] };
  open = [suggestion("1", null, "Count storms, not rows.")];
  await openScreen(address, editor);
  await button("1 suggestion to review").click();
  await expect.element(layer().getByRole("listitem")).toHaveFocus();
});

it("the catalog lists the datasets with suggestions to review; a failure to load them breaks neither screen", async () => {
  gateway.answer(catalog.entries, []);
  gateway.answer(descriptionSuggestions.counts, [{ dataset, suggestions: 3, newestMs: 1 }]);
  gateway.refuse(descriptionSuggestions.counts, "internal", "Broken.", { times: 1 });
  gateway.refuse(descriptionSuggestions.list, "internal", "Broken.", { times: 1 });
  await page.viewport(390, 844);
  await openScreen("/data-catalog", editor);
  await button("Suggestions could not be loaded. Retry").click();
  await button("3 suggestions to review").click();
  await page.getByRole("menuitem", { name: /storm-tracks/ }).click();
  await expectAddress(address);
  await expect.element(layer()).toHaveTextContent("Count storms.");
  open = [suggestion("1", "last", "In knots.")];
  await button("Suggestions could not be loaded. Retry").click();
  await button("1 suggestion to review").click();
  await expect.element(community("last").getByRole("listitem")).toHaveFocus();
});
