import { descriptions } from "@fairway/contract/descriptions";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { address, editor, kept, serveSchema, layer, row, button, startEditing, community, communityOf } from "#testing/edited-schemas.ts";

beforeEach(serveSchema);

it("shows what someone else saved meanwhile beside the edit, and saves over it only then", async () => {
  await openScreen(address, editor);
  await startEditing("Community Descriptions");
  await community().fill("Mine for the dataset.");
  await communityOf("wind").fill("Mine for wind.");
  await communityOf("major").fill("Mine for major.");
  kept.stored = {
    ...kept.stored,
    communityDescription: "Theirs for the dataset.",
    columns: kept.stored.columns.map((one) => (one.name === "wind" ? { ...one, communityDescription: "Theirs for wind." } : one)),
  };
  kept.version = 2;
  await button("Save").click();
  await expectTexts(page.getByRole("note"), [/replaces their text:.*Theirs for the dataset\./, /replaces their text:.*Theirs for wind\./]);
  await expect.element(page.getByRole("alert").filter({ hasText: "Someone else changed the marked descriptions." })).toBeVisible();
  await expect.element(community()).toHaveValue("Mine for the dataset.");
  await row("wind").getByRole("button", { name: "Use the stored text" }).click();
  await expect.element(communityOf("wind")).toHaveValue("Theirs for wind.");
  await button("Save").click();
  await expect.element(layer("Community")).toHaveTextContent("Mine for the dataset.");
  expect(kept.stored.columns.map(({ communityDescription }) => communityDescription)).toEqual([
    "Names return.",
    "Mine for major.",
    "",
    "Theirs for wind.",
    "",
    "",
  ]);
});

const someoneSaves = (texts: Readonly<Record<string, string>>) => {
  kept.stored = {
    ...kept.stored,
    communityDescription: texts["dataset"] ?? kept.stored.communityDescription,
    columns: kept.stored.columns.map((one) => ({ ...one, communityDescription: texts[one.name] ?? one.communityDescription })),
  };
  kept.version += 1;
};

it("saves on top of what someone else saved for other descriptions", async () => {
  await openScreen(address, editor);
  await startEditing("Community Descriptions");
  await communityOf("wind").fill("Mine for wind.");
  someoneSaves({ dataset: "Theirs for the dataset.", major: "Theirs for major." });
  await button("Save").click();
  await expect.element(page.getByText("Descriptions saved", { exact: true })).toBeVisible();
  await expect.element(layer("Community")).toHaveTextContent("Theirs for the dataset.");
  await expectTexts(row("major").getByRole("cell"), ["The major.", "Theirs for major.", "None"]);
  await expectTexts(row("wind").getByRole("cell"), ["The wind.", "Mine for wind.", "None"]);
  await expectCount(page.getByRole("alert").filter({ hasText: "Save Failed" }), 0);
});

it("gives up after three attempts if others keep saving", async () => {
  gateway.refuse(descriptions.saveCommunity, "stale-version", "These descriptions have changed.", { times: 3 });
  await openScreen(address, editor);
  await startEditing("Community Descriptions");
  await communityOf("wind").fill("Mine for wind.");
  await button("Save").click();
  await expect.element(page.getByRole("alert").filter({ hasText: "These descriptions have changed." })).toBeVisible();
  expect(gateway.received(descriptions.saveCommunity)).toHaveLength(3);
  await expect.element(communityOf("wind")).toHaveValue("Mine for wind.");
});

it("an edit starts from the newest stored text, or from the loaded one if that cannot be read", async () => {
  await openScreen(address, editor);
  await expect.element(layer("Community")).toHaveTextContent("Count storms, not rows.");
  someoneSaves({ dataset: "Theirs for the dataset." });
  await startEditing("Community Descriptions");
  await expect.element(community()).toHaveValue("Theirs for the dataset.");
  await community().fill("Mine for the dataset.");
  await button("Save").click();
  await expect.element(layer("Community")).toHaveTextContent("Mine for the dataset.");
  expect(gateway.received(descriptions.saveCommunity)).toHaveLength(1);

  gateway.refuse(descriptions.schema, "not-ready", "The database is away.", { times: 1 });
  await startEditing("Private Descriptions");
  const mine = page.getByRole("textbox", { name: "Private description", exact: true });
  await expect.element(mine).toHaveValue("For chapter 3.");
  await mine.fill("For chapter 4.");
  await button("Save").click();
  await expect.element(layer("Private")).toHaveTextContent("For chapter 4.");
});
