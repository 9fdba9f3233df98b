import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { noRowsText } from "@fairway/contract/dataset-access";
import { datasets } from "@fairway/contract/datasets";
import { search } from "@fairway/contract/search";
import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { facts } from "#testing/catalog-facts.ts";
import { serveAlerts } from "#testing/alerts.ts";
import { demoDataset, serveDatasets } from "#testing/demo-datasets.ts";
import { isHealthy, serveStream, until } from "#testing/live-changes.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { buildAccess, ownRegion, serveWithRules } from "#testing/reader-parts.ts";
import { act, fewRows, grid, katrina, openResults, searchLink } from "#testing/results.ts";

const chip = page.getByRole("button", { name: "Part of the rows", exact: true });
const announced = (text: string) => expect.element(page.getByRole("status").filter({ hasText: text }).first()).toBeInTheDocument();
const changed = "What you may see of this dataset has changed. The results were loaded again.";

describe("a search of a dataset with rules for rows", () => {
  it("says after the filters that it finds a part of the rows, in the words of the rules, to the keyboard and by a press", async () => {
    serveWithRules("storm-tracks", buildAccess({ notes: [ownRegion] }));
    await openResults(fewRows);
    await announced(`Part of the rows. ${ownRegion}`);
    const tip = page.getByRole("tooltip").filter({ hasText: ownRegion });
    await expectCount(tip, 0);
    await chip.click();
    await expect.element(tip).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expectCount(tip, 0);
    await expect.element(chip).toHaveAccessibleDescription(ownRegion);
    await expectAccessible();
  });

  it("says so in every view", async () => {
    serveWithRules("storm-tracks", buildAccess());
    await openResults(fewRows);
    for (const view of ["Raw", "Graphs"]) {
      await page.getByRole("radiogroup", { name: "View" }).getByText(view, { exact: true }).click();
      await expect.element(chip.first()).toBeVisible();
    }
  });

  it("says so beside the title while its filters are hidden, and without a note of a rule in its own words", async () => {
    serveWithRules("storm-tracks", buildAccess());
    localStorage.setItem("fairway.results.filters", "false");
    await openResults(fewRows);
    await expectCount(page.getByRole("group", { name: "Filters applied" }), 0);
    await expect
      .element(chip)
      .toHaveAccessibleDescription("Access rules show you some rows of this dataset. Counts, graphs and exports cover these only.");
  });

  it("says so in sight before the filters on a phone, where these scroll on one line", async () => {
    await page.viewport(390, 844);
    serveWithRules("storm-tracks", buildAccess());
    await openResults({ ...fewRows, filters: [...(fewRows.filters ?? []), ["wind", ">", 20], ["latitude", ">", 20]] });
    await expect.element(chip).toBeInViewport({ ratio: 1 });
    await expectCount(chip, 1);
  });

  it.each(["Export Current Results", "Export All Results"])("says so in the dialog %s", async (name) => {
    serveWithRules("storm-tracks", buildAccess({ notes: [ownRegion] }));
    await openResults(fewRows);
    await act(name);
    const inDialog = page.getByRole("dialog", { name }).getByRole("button", { name: "Part of the rows", exact: true });
    await expect.element(inDialog).toHaveAccessibleDescription(ownRegion);
  });

  it("says so in the dialog for an alert on it", async () => {
    serveWithRules("storm-tracks", buildAccess({ notes: [ownRegion] }));
    serveAlerts([]);
    await openResults(fewRows);
    await act("Create Alert");
    const dialog = page.getByRole("dialog", { name: "New Alert" });
    await expect.element(dialog.getByRole("button", { name: "Part of the rows", exact: true })).toHaveAccessibleDescription(ownRegion);
  });

  it("says nothing to a reader of all rows", async () => {
    serveWithRules("storm-tracks", buildAccess({ rows: "all" }));
    await openResults(fewRows);
    await expectCount(chip, 0);
  });

  it("tells a reader of no rows why there are none, with whom to ask, and never that nothing was found", async () => {
    serveWithRules("storm-tracks", buildAccess({ rows: "none" }), []);
    gateway.answer(datasetFactRoutes.facts, [facts("storm-tracks", { contact: "storms@example.org" })]);
    await openScreen(searchLink(katrina));
    await expect.element(page.getByRole("main").getByText(noRowsText, { exact: true })).toBeVisible();
    await expect.element(page.getByRole("link", { name: "storms@example.org" })).toHaveAttribute("href", "mailto:storms@example.org");
    await announced(noRowsText);
    for (const words of ["no results", "The search found nothing", "Nothing matches"]) await expectCount(page.getByText(words), 0);
    await expectCount(chip, 0);
    await expectAccessible();
  });
});

it("columns with coarse values carry a mark in heads, menus, details and filters, which says how they are coarse", async () => {
  serveWithRules("storm-tracks", buildAccess({ columns: "some", coarse: [{ name: "latitude", form: { step: 0.5 } }] }));
  await openResults({ ...fewRows, filters: [...(fewRows.filters ?? []), ["latitude", ">", 20]] });
  const note = "Rounded to steps of 0.5. Filters compare these values, not the exact ones.";
  await expect.element(page.getByRole("columnheader", { name: "Coarse values of latitude" })).toHaveTextContent("≈");
  await expectCount(page.getByRole("columnheader", { name: "Coarse values of longitude" }), 0);
  await expect.element(page.getByRole("group", { name: "Filters applied" })).toHaveTextContent("≈latitude > 20");
  await page.getByRole("button", { name: "latitude column menu" }).click();
  await expect.element(page.getByRole("menu")).toHaveTextContent(note);
  await userEvent.keyboard("{Escape}");
  await expectCount(page.getByRole("menu"), 0);
  await grid().getByRole("gridcell", { name: "Katrina" }).first().click();
  const mark = page.getByRole("button", { name: "Coarse values", exact: true });
  await expect.element(mark.first()).toHaveAccessibleDescription(note);
});

it("a search that finds nothing says what its filters on coarse columns compare, and nothing of others", async () => {
  const coarse = [{ name: "name", form: { first: 1 } }];
  serveWithRules("storm-tracks", buildAccess({ columns: "some", coarse }), []);
  await openScreen(searchLink({ ...katrina, filters: [...(katrina.filters ?? []), ["wind", ">", 20]] }));
  await expect.element(page.getByText("Nothing matches all of these filters:")).toBeVisible();
  await expect
    .element(page.getByText("≈ name: First character only. Filters compare these values, not the exact ones.", { exact: true }))
    .toBeVisible();
  await expectCount(page.getByText(/^≈ wind/), 0);
});

it("columns that are computed from coarse ones carry it as well, those of the dataset and those of the search", async () => {
  const access = buildAccess({ columns: "some", coarse: [{ name: "latitude", form: { step: 0.5 } }], madeOfCoarse: ["wind"] });
  // Few columns: those far to the right are not in the page.
  serveWithRules("storm-tracks", access, demoDataset("storm-tracks").rows, ["name", "wind", "latitude", "longitude"]);
  const computed = [
    { name: "tenths", expression: "latitude * 10" },
    { name: "hundredths", expression: "tenths * 10" },
    { name: "east", expression: "longitude + 360" },
  ];
  await openResults({ ...fewRows, added: { computed } });
  const head = (name: string) => page.getByRole("columnheader", { name: `Coarse values of ${name}` });
  for (const name of ["wind", "tenths", "hundredths"]) await expect.element(head(name)).toHaveTextContent("≈");
  await expectCount(head("east"), 0);
  await page.getByRole("button", { name: "tenths column menu" }).click();
  await expect
    .element(page.getByRole("menu"))
    .toHaveTextContent("Computed from coarse values. Filters compare these values, not the exact ones.");
});

describe("when what a reader may see has changed", () => {
  it("drops the rows and searches again", async () => {
    const stream = serveStream();
    serveWithRules("storm-tracks", buildAccess());
    await openResults(katrina);
    await until(() => expect(isHealthy()).toBe(true));
    await expect.element(page.getByText("68 results")).toBeVisible();
    const few = demoDataset("storm-tracks")
      .rows.filter(({ name }) => name === "Katrina")
      .slice(0, 3);
    serveWithRules("storm-tracks", buildAccess({ version: "v2" }), few);
    const release = gateway.hold(search.run);
    stream.send({ kind: "changed", topic: "datasets", id: null });
    await expectCount(grid().getByRole("gridcell", { name: "Katrina" }), 0);
    release();
    await expect.element(page.getByText("3 results")).toBeVisible();
    await expect.element(page.getByRole("status").filter({ hasText: changed })).toBeVisible();
  });

  it("does the same when a dataset gets its first rules", async () => {
    const stream = serveStream();
    serveDatasets(gateway);
    await openResults(katrina);
    await until(() => expect(isHealthy()).toBe(true));
    await expect.element(page.getByText("68 results")).toBeVisible();
    const few = demoDataset("storm-tracks")
      .rows.filter(({ name }) => name === "Katrina")
      .slice(0, 3);
    serveWithRules("storm-tracks", buildAccess(), few);
    stream.send({ kind: "changed", topic: "datasets", id: null });
    await expect.element(page.getByText("3 results")).toBeVisible();
    await expect.element(chip).toBeVisible();
  });

  it("leaves a search alone whose part is the same", async () => {
    const stream = serveStream();
    serveWithRules("storm-tracks", buildAccess());
    await openResults(katrina);
    await until(() => expect(isHealthy()).toBe(true));
    const asked = gateway.received(search.run).length;
    const described = gateway.received(datasets.describe).length;
    stream.send({ kind: "changed", topic: "datasets", id: null });
    await until(() => expect(gateway.received(datasets.describe).length).toBeGreaterThan(described));
    await expect.element(grid().getByRole("gridcell").first()).toBeVisible();
    expect(gateway.received(search.run)).toHaveLength(asked);
    await expectCount(page.getByText(changed), 0);
  });
});
