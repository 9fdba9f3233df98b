// @ts-check
import { press } from "./recorder.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./recorder.mjs").Recorder} Recorder */

/** @param {Page} page @param {string} name */
const chooseDataset = (page, name) => press(page.getByRole("region", { name: "Choose a dataset" }).getByText(name, { exact: true }));
/** @param {Page} page @param {string} name */
const chooseView = (page, name) => press(page.getByRole("radiogroup", { name: "View" }).getByText(name, { exact: true }));
/** @param {Page} page @param {string} name */
const chooseAction = async (page, name) => {
  await press(page.getByRole("button", { name: "Actions", exact: true }));
  await press(page.getByRole("menuitem", { name, exact: true }));
};
/** @param {Page} page @param {string} field @param {string} text */
const fill = async (page, field, text) => {
  const box = page.getByRole("textbox", { name: field, exact: true });
  await press(box);
  await box.pressSequentially(text, { delay: 90 });
};
/** @param {Page} page */
const search = async (page) => {
  await press(page.getByRole("form").getByRole("button", { name: "Search", exact: true }));
  await page.getByRole("grid").getByRole("gridcell").first().waitFor();
};

/** Each tour starts on the screen Datasets and is recorded as the video of the doc with its id. */
export const tours = [
  {
    id: "find-a-storm",
    /** @param {Recorder} recorder */
    async play(recorder) {
      const { page } = recorder;
      await recorder.scene("Choose a dataset to see its columns and filters.", () => chooseDataset(page, "storm-tracks"));
      await recorder.scene("Fill in a filter, such as the number of a storm: Katrina was the sixth of 2005.", () =>
        fill(page, "Storm id", "2005-06"),
      );
      await recorder.scene("Search shows the first rows immediately. More load as you scroll.", () => search(page));
      await recorder.scene("See the same rows on a map, with the storm at its last position.", async () => {
        await chooseView(page, "Map");
        await page.getByRole("application", { name: "Map of items" }).and(page.locator("[data-ready=true]")).waitFor();
      });
      await recorder.scene("Show its path and fit the map to it.", async () => {
        await press(page.getByRole("checkbox", { name: /^Path of Katrina/ }).locator(".."));
        await page.waitForTimeout(600);
        await press(page.getByRole("button", { name: "Fit to items" }));
      });
      await recorder.scene("Play moves the storm through time.", async () => {
        await press(page.getByRole("button", { name: "Play", exact: true }));
        await page.waitForTimeout(6_000);
        recorder.markPreview();
      });
      await recorder.scene("Find the storms’ files in the archive, under Filesets.", async () => {
        await press(page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Filesets" }));
        await press(page.getByRole("navigation", { name: "Choose a fileset" }).getByRole("link", { name: "storm-archive" }));
      });
      await recorder.scene("Open a folder and filter it by part of a name.", async () => {
        await press(page.getByRole("button", { name: "by-storm/" }));
        const filter = page.getByPlaceholder("filter directory");
        await press(filter);
        await filter.pressSequentially("2005-06", { delay: 90 });
      });
      await recorder.scene("Preview a file in the page, or download it.", async () => {
        await press(page.getByRole("button", { name: "2005-06-Katrina.csv", exact: true }));
        await page.getByRole("dialog").getByRole("columnheader").first().waitFor();
        await page.getByRole("dialog").getByRole("link", { name: "Download", exact: true }).hover();
        await page.waitForTimeout(3_000);
      });
    },
  },
  {
    id: "keep-and-export",
    /** @param {Recorder} recorder */
    async play(recorder) {
      const { page } = recorder;
      await recorder.scene("Search for the bird strikes at one airport.", async () => {
        await chooseDataset(page, "bird-strikes");
        await fill(page, "Airport code", "DEN");
      });
      await recorder.scene("The results open as a table.", () => search(page));
      await recorder.scene("Find text in the loaded rows.", () => fill(page, "Find in loaded rows", "united"));
      await recorder.scene("Under Actions, save the filters to search again later.", async () => {
        await chooseAction(page, "Save Search Filters");
        await page.getByRole("dialog").getByRole("textbox").first().pressSequentially("Bird strikes in Denver", { delay: 60 });
      });
      await recorder.scene("Saved filters are listed with their dataset.", () =>
        press(page.getByRole("dialog").getByRole("button", { name: /^Save/ }).last()),
      );
      await recorder.scene("Export the loaded rows, or let the server write all of them to a file.", () =>
        chooseAction(page, "Export Current Results"),
      );
      await recorder.scene("CSV opens in a spreadsheet, JSON in a program.");
    },
  },
];
