import { descriptions } from "@fairway/contract/descriptions";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts, expectToastFor } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import {
  address,
  editor,
  column,
  kept,
  serveSchema,
  layer,
  row,
  button,
  startEditing,
  community,
  communityOf,
} from "#testing/edited-schemas.ts";

beforeEach(serveSchema);

describe("a schema", () => {
  openOnce(async () => void (await openScreen(address)));

  it("[ROUTE-38][SCHEMA-01] has the dataset as its header", async () => {
    await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks", exact: true })).toBeVisible();
    await expectAccessible();
  });

  it("[SCHEMA-04] shows the system, the community and the private description of the dataset", async () => {
    await expect.element(layer("System")).toHaveTextContent("Tracks of storms.");
    await expect.element(layer("Community")).toHaveTextContent("Count storms, not rows.");
    await expect.element(layer("Private")).toHaveTextContent("For chapter 3.");
  });

  it("[SCHEMA-05][SCHEMA-06] shows each column with its type in words and its descriptions, which a filter finds", async () => {
    await expectTexts(page.getByRole("rowheader"), [
      /^name ?String$/,
      /^major ?Boolean$/,
      /^season ?Integer$/,
      /^wind ?Decimal, kt$/,
      /^seconds ?Epoch Timestamp in Seconds$/,
      /^millis ?Epoch Timestamp in Milliseconds$/,
    ]);
    await expectTexts(row("name").getByRole("cell"), ["The name.", "Names return.", "Mine."]);
    for (const found of ["knots", "kt"]) {
      await page.getByRole("textbox", { name: "Filter columns" }).fill(found);
      await expectTexts(page.getByRole("rowheader"), [/^wind/]);
    }
  });
});

it("[SCHEMA-02][SCHEMA-03] only a dataset with a map view or a location says so", async () => {
  const badges = () => ["Map View", "Location"].map((badge) => page.getByRole("main").getByText(badge, { exact: true }));
  await openScreen(address);
  for (const badge of badges()) await expect.element(badge).toBeVisible();
  kept.stored = { ...kept.stored, containsLocationData: false, supportsMapResults: false };
  await openScreen(address);
  await expect.element(layer("System")).toBeVisible();
  for (const badge of badges()) await expectCount(badge, 0);
});

it("[SCHEMA-08][SCHEMA-15] without schema-edit there is one button, which edits private descriptions", async () => {
  await openScreen(address);
  await button("Edit Private Descriptions").click();
  await expectCount(button("Edit"), 0);
  await page.getByRole("textbox", { name: "Private description", exact: true }).fill("For chapter 4.");
  await page.getByRole("textbox", { name: "Private description of wind" }).fill("64 is a hurricane.");
  await button("Save").click();
  await expect.element(layer("Private")).toHaveTextContent("For chapter 4.");
  await expectTexts(row("wind").getByRole("cell"), ["The wind.", "In knots.", "64 is a hurricane."]);
  expect(gateway.received(descriptions.saveUser).map(({ body }) => body)).toEqual([
    { description: "For chapter 4.", columnDescriptions: [{ columnName: "wind", description: "64 is a hurricane." }] },
  ]);
});

it("[SCHEMA-07] with schema-edit the menu 'Edit' has both layers", async () => {
  await openScreen(address, editor);
  await button("Edit").click();
  await expectTexts(page.getByRole("menuitem"), ["Community Descriptions", "Private Descriptions"]);
});

describe("edited community descriptions", () => {
  openOnce(async () => {
    await openScreen(address, editor);
    await startEditing("Community Descriptions");
  });

  it("[SCHEMA-09][SCHEMA-10] have Cancel and Save, and only the fields of their layer", async () => {
    for (const name of ["Cancel", "Save"]) await expect.element(button(name)).toBeVisible();
    await expectCount(page.getByRole("main").getByRole("textbox", { name: /^Community description/ }), 7);
    await expectCount(page.getByRole("main").getByRole("textbox", { name: /^(System|Private) description/ }), 0);
    await expectAccessible();
  });

  it("[SCHEMA-14][SCHEMA-19] are saved, which a toast says for 2 seconds", async () => {
    await communityOf("wind").fill("In meters per second.");
    await expect.element(page.getByText("1 changed description")).toBeVisible();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    button("Save")
      .element()
      .dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await expectToastFor("Descriptions saved", 2_000);
    expect(gateway.received(descriptions.saveCommunity)).toMatchObject([
      {
        params: { category: "Tropical weather", datasetId: "storm-tracks" },
        body: {
          description: "Count storms, not rows.",
          columnDescriptions: [{ columnName: "wind", description: "In meters per second." }],
        },
      },
    ]);
    await expectTexts(row("wind").getByRole("cell"), ["The wind.", "In meters per second.", "None"]);
    await expectCount(button("Save"), 0);
  });
});

it("[SCHEMA-11][SCHEMA-12] Cancel asks first: declined, the edit stays; confirmed, the descriptions are as before, also after a reload", async () => {
  await openScreen(address, editor);
  await startEditing("Community Descriptions");
  await community().fill("Something else.");
  await button("Cancel").click();
  const question = page.getByRole("dialog", { name: "Discard your changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect.element(community()).toHaveValue("Something else.");
  // A reload keeps the edit.
  await openScreen(address, editor);
  await expect.element(community()).toHaveValue("Something else.");
  await button("Cancel").click();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect.element(layer("Community")).toHaveTextContent("Count storms, not rows.");
  await expectCount(community(), 0);
  expect(gateway.received(descriptions.saveCommunity)).toEqual([]);
});

it("[SCHEMA-20] a failed save shows 'Save Failed' and keeps the edit", async () => {
  gateway.refuse(descriptions.saveCommunity, "not-ready", "The database is away.", { times: 1 });
  await openScreen(address, editor);
  await startEditing("Community Descriptions");
  await communityOf("name").fill("Retired names never return.");
  await button("Save").click();
  const failure = page.getByRole("alert").filter({ hasText: "Save Failed" });
  await expect.element(failure).toHaveTextContent("The database is away.");
  await expect.element(communityOf("name")).toHaveValue("Retired names never return.");
  await button("Save").click();
  await expectTexts(row("name").getByRole("cell"), ["The name.", "Retired names never return.", "Mine."]);
});

it("[SCHEMA-21] a schema that cannot be loaded can be retried", async () => {
  gateway.refuse(descriptions.schema, "timed-out", "It took too long.", { times: 1 });
  await openScreen(address);
  const failed = page.getByRole("alert");
  await expect.element(failed.getByText("Error Loading Dataset Schema", { exact: true })).toBeVisible();
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(layer("System")).toHaveTextContent("Tracks of storms.");
});

it("a schema of 2,000 columns renders only those in view", async () => {
  kept.stored = { ...kept.stored, columns: Array.from({ length: 2_000 }, (_, index) => column(`column_${index}`, 0)) };
  await openScreen(address);
  await expect.element(page.getByRole("rowheader", { name: /^column_0/ })).toBeVisible();
  expect(page.getByRole("rowheader").elements().length).toBeLessThan(60);
  const scroller = page.getByRole("region", { name: "Schema" }).element();
  scroller.scrollTop = scroller.scrollHeight;
  await expect.poll(() => page.getByRole("rowheader", { name: /^column_1999/ }).query()).not.toBeNull();
  await expectAddress(address);
});

it("highlights what a search of the catalog found, and scrolls to its column", async () => {
  const columns = Array.from({ length: 300 }, (_, index) => column(`column_${index}`, 0));
  kept.stored = { ...kept.stored, columns: [...columns, column("wind", 3, { communityDescription: "Sustained **wind** in knots." })] };
  await openScreen(`${address}?find=wind+storms&at=wind`);
  const row = page.getByRole("row", { name: /^wind/ });
  await expect.element(row).toBeInViewport();
  await expect.element(row).toHaveAttribute("aria-current", "true");
  await expectTexts(row.getByRole("mark"), ["wind", "wind", "wind"]);
  await expectTexts(page.getByRole("region", { name: "System description" }).getByRole("mark"), ["storms"]);
  await expectTexts(page.getByRole("region", { name: "Community description" }).getByRole("mark"), ["storms"]);
});
