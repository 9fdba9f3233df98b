import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";

const stations = [
  ["0012", "Norderney", "53,71", "7,15"],
  ["0031", "Büsum", "54,13", "8,86"],
  ["0112", "Lindau", "47,55", "9,68"],
] as const;

/** Rain by station and month of a year. No day above 12 proves the order of dates. */
const rainOf = (year: number): string =>
  [
    "station;place;month;rain;latitude;longitude",
    ...stations.flatMap(([station, place, latitude, longitude]) =>
      Array.from({ length: 12 }, (_, month) =>
        [station, place, `01/${String(month + 1).padStart(2, "0")}/${year}`, `${40 + month},5`, latitude, longitude].join(";"),
      ),
    ),
    "",
  ].join("\r\n");

/** Drops a file on the screen, as from the desktop. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const made = new DataTransfer();
      made.items.add(new File([text], fileName, { type: "text/csv" }));
      return made;
    },
    [name, content] as const,
  );
  const target = page.getByRole("heading", { level: 1 });
  for (const type of ["dragenter", "dragover", "drop"]) await target.dispatchEvent(type, { dataTransfer: transfer });
}

test("A dropped file is on the map after four actions, and later files are added in three", async ({ page }) => {
  let actions = 0;
  const act = async (action: Promise<unknown>) => {
    actions += 1;
    await action;
  };
  await signInAsNewAccount(page, ["data-upload"]);
  await page.goto("/search");
  await expect(page.getByRole("link", { name: "Add data" })).toBeVisible();

  await test.step("drop, answer, create: the map", async () => {
    await act(drop(page, "rain-2024.csv", rainOf(2024)));
    const question = page.getByRole("radiogroup");
    await expect(question).toBeVisible();
    await expect(page.getByRole("grid", { name: "First rows" })).toContainText("Norderney");
    await act(question.getByRole("radio").first().check());
    await act(question.getByRole("button", { name: /^Use / }).click());
    await act(page.getByRole("button", { name: "Create dataset" }).click());
    await expect(page).toHaveURL(/\/search\/[^/?#]+/);
    await expect(page.getByRole("region", { name: /map/i }).first()).toBeVisible();
    expect(actions).toBeLessThanOrEqual(4);
  });

  await test.step("the dataset is the user's own, in the picker and the catalog", async () => {
    await page.goto("/search");
    await expect(page.getByRole("rowgroup", { name: "Own data" })).toContainText("rain-2024");
    await page.goto("/data-catalog");
    await page.getByRole("main").getByRole("link", { name: "rain-2024" }).click();
    await expect(page.getByRole("region", { name: "Your data" })).toContainText("36 rows");
  });

  await test.step("append: choose, accept or answer, append", async () => {
    actions = 0;
    const chooser = page.waitForEvent("filechooser");
    await act(page.getByRole("button", { name: "Append" }).click());
    await (await chooser).setFiles({ name: "rain-2025.csv", mimeType: "text/csv", buffer: Buffer.from(rainOf(2025)) });
    const append = page.getByRole("button", { name: "Append rows" });
    await expect(append).toBeEnabled();
    await act(append.click());
    await expect(page).toHaveURL(/\/search\/[^/?#]+/);
    expect(actions).toBeLessThanOrEqual(3);
    await page.goto("/data-catalog");
    await page.getByRole("main").getByRole("link", { name: "rain-2024" }).click();
    await expect(page.getByRole("region", { name: "Your data" })).toContainText("72 rows");
  });
});
