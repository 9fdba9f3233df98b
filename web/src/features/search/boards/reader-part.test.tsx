import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { inPanel, katrina, openBoard, panel, servePanelData, storms } from "#testing/board-panels.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { isHealthy, serveStream, until } from "#testing/live-changes.ts";
import { gateway } from "#testing/open-screen.tsx";
import { buildAccess, serveWithRules } from "#testing/reader-parts.ts";

const table = {
  id: "table",
  kind: "table" as const,
  title: "Winds",
  dataset: storms,
  query: { ...katrina, columns: ["name", "wind"] },
  place: inPanel(3, 6),
};
const chipIn = (name: string) => panel(name).getByRole("button", { name: "Part of the rows", exact: true });

it("panels drop their rows and load again when their dataset gets its first rules", async () => {
  const stream = serveStream();
  servePanelData();
  serveDatasets(gateway);
  await openBoard(table);
  await until(() => expect(isHealthy()).toBe(true));
  await expect.element(panel("Winds").getByRole("cell", { name: "Katrina" }).first()).toBeVisible();
  await expectCount(chipIn("Winds"), 0);
  serveWithRules("storm-tracks", buildAccess());
  stream.send({ kind: "changed", topic: "datasets", id: null });
  await expect.element(chipIn("Winds")).toBeVisible();
  const told = "What you may see of this dataset has changed. The results were loaded again.";
  await expect.element(page.getByRole("status").filter({ hasText: told })).toBeVisible();
});
