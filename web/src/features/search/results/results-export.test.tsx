import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { copied, press } from "#testing/keyboard.ts";
import { act, katrina, openResults } from "#testing/results.ts";

const dialog = () => page.getByRole("dialog", { name: "Export Current Results" });

/** Records the files that the page saves and the object URLs it revokes. */
function watchFiles() {
  const saved: { blob: Blob; url: string }[] = [];
  const revoked: string[] = [];
  const create = URL.createObjectURL.bind(URL);
  vi.spyOn(URL, "createObjectURL").mockImplementation((object) => {
    const url = create(object);
    if (object instanceof Blob && /json|csv/.test(object.type)) saved.push({ blob: object, url });
    return url;
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => {
    revoked.push(url);
  });
  // Prevents actual downloads.
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue(undefined);
  return { saved, revoked };
}

it("[EXPORT-01] offers CSV, JSON and the cURL command in 'Export Current Results' and states the number of rows", async () => {
  await openResults(katrina);
  await expect.element(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  await act("Export Current Results");
  await expect.element(dialog().getByRole("heading", { name: "Export Current Results" })).toBeVisible();
  for (const name of ["CSV", "JSON", "Copy cURL Command"]) {
    await expect.element(dialog().getByRole("button", { name, exact: true })).toBeEnabled();
  }
  await expect.element(dialog()).toHaveTextContent("the 25 rows loaded, of 68");
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
});

it("[EXPORT-05] revokes the object URL 2 seconds after saving", async () => {
  const { saved, revoked } = watchFiles();
  await openResults(katrina);
  await act("Export Current Results");
  await expect.element(dialog().getByRole("button", { name: "JSON", exact: true })).toBeVisible();
  vi.useFakeTimers();
  await dialog().getByRole("button", { name: "JSON", exact: true }).click();
  await expect.poll(() => saved.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(revoked).not.toContain(saved[0]?.url);
  await vi.advanceTimersByTimeAsync(1);
  expect(revoked).toContain(saved[0]?.url);
});

it("[EXPORT-06] copies the cURL command of the search", async () => {
  await openResults(katrina);
  await act("Export Current Results");
  await dialog().getByRole("button", { name: "Copy cURL Command" }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByText("cURL command copied")).toBeVisible();
  const command = await copied();
  expect(command).toContain("/api/datasets/Tropical%20weather/storm-tracks/search'");
  expect(command).toContain('{"name":"name","value":"Katrina","operator":"="}');
});
