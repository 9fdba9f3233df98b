import { flows } from "@fairway/contract/flows";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { serveMainIterations } from "#testing/flows.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { serveFlow, accepted } from "#testing/flow-histories.ts";

const minuteMs = 60_000;
const address = "/niflow-flows/weather/4";
const list = page.getByRole("navigation", { name: "Accepted iterations" });
const items = list.getByRole("link");
const content = (name: string) => page.getByRole("grid", { name: `Content of ${name}` });

const newest = () => accepted(3, "Larger batches", { timeMs: Date.now() - 5 * minuteMs - 1_000 });
const middle = accepted(2, "Poll every minute", { timeMs: Date.UTC(2026, 10, 20, 13, 58, 20), acceptedByUsername: "grace" });
const oldest = accepted(1, "First import", { timeMs: Date.UTC(2026, 10, 2) });

it("[FLOW-52][ROUTE-25] the main history lists the accepted iterations, the newest first and shown, under 'Last Updated {relative time}'", async () => {
  serveFlow();
  serveMainIterations([newest(), middle, oldest]);
  await openScreen(address);
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-ingest" })).toBeVisible();
  await expect.element(page.getByRole("main")).toHaveTextContent("Last Updated 5 minutes ago");
  await expectTexts(items, [
    /^Larger batchesIteration 3, accepted by admin, /,
    "Poll every minuteIteration 2, accepted by grace, 11/20/2026, 01:58:20 PM",
    /^First importIteration 1, accepted by admin, 11\/02\/2026, 12:00:00 AM$/,
  ]);
  await expect.element(items.first()).toHaveAttribute("aria-current");
  await expect.element(content("Larger batches, iteration 3")).toHaveTextContent('"schedulingPeriod": "3 min"');
  const request = page.getByRole("region", { name: "Content", exact: true }).getByRole("link", { name: "Larger batches, iteration 3" });
  await expect.element(request).toHaveAttribute("href", "/niflow-requests/weather/4/30");
  await expectAccessible();
});

it("[FLOW-53] the relative time is refreshed every 10 seconds", async () => {
  serveFlow();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  serveMainIterations([accepted(3, "Larger batches", { timeMs: Date.now() - 5 * minuteMs - 55_000 })]);
  await openScreen(address);
  const time = page.getByText(/minutes ago/);
  await expect.element(time).toHaveTextContent("5 minutes ago");
  await expect.element(time).toHaveAttribute("title", expect.stringMatching(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d [AP]M UTC$/));
  vi.advanceTimersByTime(9_900);
  await expect.element(time).toHaveTextContent("5 minutes ago");
  vi.advanceTimersByTime(200);
  await expect.element(time).toHaveTextContent("6 minutes ago");
  vi.advanceTimersByTime(minuteMs);
  await expect.element(time).toHaveTextContent("7 minutes ago");
});

it("a content is loaded when it is shown, and downloaded as it is", async () => {
  serveFlow();
  serveMainIterations([newest(), accepted(2, "Poll every minute", {}, { format: "xml" })]);
  const text = '<template encoding-version="1.3"/>\n';
  gateway.refuse(flows.mainIteration, "internal", "The database is starting.", { times: 1 });
  await openScreen(`${address}?iteration=2`);
  const failed = page.getByRole("alert");
  await expect.element(failed).toHaveTextContent("Failed to Load Flow");
  gateway.answer(flows.mainIteration, ({ params }) =>
    accepted(params.iterationId, "Poll every minute", {}, { content: text, format: "xml" }),
  );
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(content("Poll every minute, iteration 2")).toHaveTextContent("<template");
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const blob = vi.spyOn(URL, "createObjectURL");
  await page.getByRole("button", { name: "Download" }).click();
  await expect.poll(() => saved.mock.contexts.map((link) => (link as HTMLAnchorElement).download)).toEqual(["storm-ingest-2.xml"]);
  const file = blob.mock.calls[0]?.[0];
  await expect(new Response(file as Blob).text()).resolves.toBe(text);
});

it("[FLOW-54] a flow without accepted content says so, and a request can be started for it", async () => {
  serveFlow();
  serveMainIterations([]);
  await openScreen(address);
  await expect.element(page.getByText("This flow has no accepted content yet.")).toBeVisible();
  await page.getByRole("button", { name: "New Request" }).click();
  const dialog = page.getByRole("dialog", { name: "New Request" });
  await expect.element(dialog.getByRole("combobox", { name: "Flow" })).toHaveValue("weather/storm-ingest");
  await expect.element(dialog.getByRole("textbox", { name: "Request Name" })).toHaveFocus();
});

it("[FLOW-42] a flow that cannot be loaded, or does not exist, shows 'Failed to Load Flow'", async () => {
  serveFlow();
  gateway.refuse(flows.mainIterations, "internal", "The database is starting.");
  const release = gateway.hold(flows.mainIterations);
  await openScreen(address);
  await expect.element(page.getByRole("status", { name: "Loading the flow" })).toBeVisible();
  release();
  const alert = page.getByRole("alert");
  await expect.element(alert).toHaveTextContent("Failed to Load FlowThe database is starting.");
  serveMainIterations([oldest]);
  await alert.getByRole("button", { name: "Retry" }).click();
  await expectCount(items, 1);
  await expect.element(list.getByRole("radio", { name: "Diff" })).toBeDisabled();

  gateway.refuse(flows.mainIterations, "not-found", "There is no such flow.");
  await openScreen("/niflow-flows/weather/5");
  await expect.element(alert).toHaveTextContent("Failed to Load Flow");
  await expect.element(alert.getByRole("button", { name: "Retry" })).not.toBeInTheDocument();
  await alert.getByRole("link", { name: "All flows" }).click();
  await expectAddress("/niflow-flows");
});
