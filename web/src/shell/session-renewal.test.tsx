import { auth } from "@fairway/contract/auth";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

it("shows a bar from a failed renewal until one succeeds", async () => {
  serveDatasets(gateway);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await openScreen("/search");
  await expectDatasets();
  gateway.disconnect(auth.refresh, { times: 1 });
  // The token lives 900 s: renewal after half of that, the retry a quarter later.
  await vi.advanceTimersByTimeAsync(451_000);
  await expect.element(page.getByRole("alert")).toHaveTextContent("Your session could not be renewed.");
  await vi.advanceTimersByTimeAsync(226_000);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  expect(gateway.received(auth.refresh)).toHaveLength(2);
  await expectDatasets();
});
