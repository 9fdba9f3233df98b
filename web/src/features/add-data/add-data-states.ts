import { imports } from "@fairway/contract/imports";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { page } from "vitest/browser";
import { gateway } from "#testing/open-screen.tsx";
import { buildOwnData, buildOwnDataset, noOwnData, serveImport } from "#testing/own-data.ts";
import { failing, loading, type ScreenState, text, title } from "#testing/screen-state.ts";

const serve = (overrides: Parameters<typeof serveImport>[1] = {}) => {
  gateway.answer(ownDatasets.list, buildOwnData());
  serveImport(gateway, overrides);
};
const unread = { reading: null, sample: null, openQuestions: [] };

export const states: readonly ScreenState[] = [
  { name: "import", answers: serve, open: "/add-data/import-1", shows: text("What was understood"), phone: true },
  {
    name: "import-rows-on-a-phone",
    answers: serve,
    open: async () => {
      await page.viewport(390, 844);
      const { openScreen } = await import("#testing/open-screen.tsx");
      await openScreen("/add-data/import-1");
    },
    steps: [() => page.getByRole("button", { name: "Show the rows" }).click()],
    shows: () => page.getByRole("grid", { name: "First rows" }),
  },
  {
    name: "import-is-read",
    answers: () => serve({ ...unread, status: "reading", progress: { step: "reading", done: 120_000, total: 1_000_000 } }),
    open: "/add-data/import-1",
    shows: text("Reading, 120,000 of 1,000,000"),
    phone: true,
  },
  {
    name: "import-waits-for-its-file",
    answers: () =>
      serve({
        ...unread,
        status: "uploading",
        files: [{ number: 1, file: "rain-2024.csv", size: 58_000, partBytes: 8_000, received: [1, 2] }],
      }),
    open: "/add-data/import-1",
    shows: text(/have arrived/),
    phone: true,
  },
  {
    name: "import-failed-to-be-read",
    answers: () => serve({ ...unread, status: "failed", failure: { kind: "invalid-request", message: "The file has no rows." } }),
    open: "/add-data/import-1",
    shows: text("The file has no rows."),
    phone: true,
  },
  {
    name: "import-with-differences",
    answers: () =>
      serve({
        into: { datasetCategory: "~ada", datasetId: "rain-2024", mode: "append" },
        openQuestions: [],
        drift: [{ kind: "new-column", column: "snow", sentence: "'snow' is a new column; it is empty in older rows." }],
      }),
    open: "/add-data/import-1",
    shows: text("1 difference from the dataset"),
    phone: true,
  },
  {
    name: "import-reads-a-dataset-again",
    answers: () =>
      serve({
        into: { datasetCategory: "~ada", datasetId: "rain-2024", mode: "read-again" },
        openQuestions: [],
        drift: [{ kind: "does-not-fit", column: "rain", sentence: "'rain' becomes text: the filter on it goes with it." }],
      }),
    open: "/add-data/import-1",
    shows: text("Go on without what no longer fits"),
    phone: true,
  },
  {
    name: "import-reads-a-dataset-again-unchanged",
    answers: () =>
      serve({ into: { datasetCategory: "~ada", datasetId: "rain-2024", mode: "read-again" }, openQuestions: [], isUnchanged: true }),
    open: "/add-data/import-1",
    shows: text("Change how it is read first"),
    phone: true,
  },
  loading("import-loading", "/add-data/import-1", imports.one, title("Add data"), serve),
  failing("import-failed", "/add-data/import-1", imports.one, serve),
  { name: "add-data", answers: serve, open: "/add-data", shows: text(/Drop a CSV/), phone: true },
  {
    name: "add-data-with-deleted",
    answers: () => {
      serve();
      gateway.answer(ownDatasets.list, buildOwnData({ datasets: [buildOwnDataset({ goneMs: Date.now() + 86_400_000 })] }));
    },
    open: "/add-data",
    shows: text("Delete now"),
    phone: true,
  },
  {
    name: "add-data-full",
    answers: () => {
      serve();
      gateway.answer(ownDatasets.list, buildOwnData({ room: { ...noOwnData.room, datasets: 100 } }));
    },
    open: "/add-data",
    shows: text("You have 100 datasets, as many as there can be."),
  },
  {
    name: "add-data-not-allowed",
    answers: () => gateway.answer(ownDatasets.list, buildOwnData({ mayImport: false })),
    open: "/add-data",
    shows: text(/Ask an administrator/),
  },
  failing("add-data-failed", "/add-data", ownDatasets.list),
];
