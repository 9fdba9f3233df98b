import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, katrina } from "#testing/results.ts";
import { openOwnResults } from "#testing/own-results.ts";

beforeEach(() => serveDatasets(gateway));

it("shares the dataset from the menu, and goes to its settings", async () => {
  await openOwnResults("own");
  await act("Share Dataset");
  const dialog = page.getByRole("dialog", { name: `Share ${katrina.dataset}` });
  await expect.element(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await act("Dataset Settings");
  await expect.poll(() => location.search).toBe("?form=settings");
});
