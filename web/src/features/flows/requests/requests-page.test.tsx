import { flows } from "@fairway/contract/flows";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts, expectToastFor } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { chooseFile } from "#testing/files.ts";
import { flowContent, flowFile } from "#testing/flows.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { content, dialog, flow, names, requestName, save, search, serveRequests, statusFilter, table } from "#testing/requests-pages.ts";

const show = (name: RegExp) => page.getByRole("radio", { name });

beforeEach(serveRequests);

describe("/niflow-requests", () => {
  openOnce(async () => void (await openScreen("/niflow-requests")));

  it("[ROUTE-26][FLOW-11] has a table of requests per group", async () => {
    await expect.element(page.getByRole("heading", { level: 1, name: "Flow Requests" })).toBeVisible();
    await expectTexts(page.getByRole("heading", { level: 2 }), ["aviation", "weather"]);
    await expectTexts(table("weather").getByRole("columnheader"), ["Name", "Flow", "Status", "Created", "Last Updated"]);
    await expectTexts(names("aviation"), ["Add the tail number"]);
    await expectAccessible();
  });

  it("[FLOW-09][FLOW-10] begins with the open ones", async () => {
    await expect.element(statusFilter).toHaveValue("open");
    await expectCount(names("weather"), 4);
    await expect.element(page.getByText("5 open requests")).toBeVisible();
  });

  it("[FLOW-12][FLOW-56] shows the newest first, with times in 12-hour format", async () => {
    await expectTexts(table("weather").getByRole("row"), [
      "NameFlowStatusCreated Last Updated",
      "Poll every minutewaiting for youstorm-ingestReady for Review11/20/2026, 12:05:41 AM11/21/2026, 12:05:41 PM",
      /^Larger batchesyoursstorm-archiveIn Progress/,
      "Skip quarry blastsThey are no quakes.storm-ingestIn Progress11/17/2026, 10:05:41 AM11/19/2026, 03:05:41 PM",
      /^From a newer serverstorm-ingestUnknown/,
    ]);
  });
});

describe("the Status Filter", () => {
  openOnce(async () => void (await openScreen("/niflow-requests")));

  it("[FLOW-08] offers open, closed and each status", async () => {
    await expectTexts(statusFilter.getByRole("option"), [
      "Open",
      "Closed",
      "Unknown",
      "In Progress",
      "Ready for Review",
      "Abandoned",
      "Accepted",
    ]);
  });

  it("[FLOW-10][FLOW-16] shows the requests of the chosen status, which is in the address", async () => {
    const expected: [label: string, query: string, shown: string[]][] = [
      ["Closed", "closed", ["First import", "Old idea"]],
      ["Unknown", "unknown", ["From a newer server"]],
      ["In Progress", "in-progress", ["Larger batches", "Skip quarry blasts"]],
      ["Ready for Review", "ready-for-review", ["Poll every minute"]],
      ["Abandoned", "abandoned", ["Old idea"]],
      ["Accepted", "accepted", ["First import"]],
    ];
    for (const [label, query, shown] of expected) {
      await statusFilter.selectOptions(label);
      await expectAddress(`/niflow-requests?status=${query}`);
      await expectTexts(names("weather"), shown);
    }
    await reloadScreen();
    await expect.element(statusFilter).toHaveValue("accepted");
    await expectTexts(names("weather"), ["First import"]);
    await statusFilter.selectOptions("Open");
    await expectAddress("/niflow-requests");
    await expectCount(names("weather"), 4);
  });

  it("is Open for an address that it does not know", async () => {
    await openScreen("/niflow-requests?status=nonsense&show=nonsense");
    await expect.element(statusFilter).toHaveValue("open");
    await expectCount(names("weather"), 4);
  });
});

it("all, those that need my review and mine are counted, and the choice and the search are in the address", async () => {
  await openScreen("/niflow-requests");
  for (const name of [/^All 5$/, /^Needs my review 1$/, /^Mine 1$/]) await expectCount(show(name), 1);
  await page.getByText("Needs my review 1").click();
  await expectAddress("/niflow-requests?show=review");
  await expectTexts(page.getByRole("rowheader").getByRole("link"), ["Poll every minute"]);
  await page.getByText("Mine 1").click();
  await expectTexts(page.getByRole("rowheader").getByRole("link"), ["Larger batches"]);
  await search.fill("quarry");
  await expectAddress("/niflow-requests?show=mine&search=quarry");
  await expect.element(page.getByText("No open flow request among these matches “quarry”.")).toBeVisible();
  await reloadScreen();
  await expect.element(search).toHaveValue("quarry");
  await page.getByText("All 1").click();
  await expectTexts(page.getByRole("rowheader").getByRole("link"), ["Skip quarry blasts"]);
  history.back();
  await expect.element(show(/^Mine/)).toBeChecked();
  await page.getByRole("button", { name: "Show All" }).click();
  await expectTexts(page.getByRole("rowheader").getByRole("link"), ["Larger batches"]);
  await search.fill("storm-arch ADA");
  await expectTexts(page.getByRole("rowheader").getByRole("link"), ["Larger batches"]);
});

it("[FLOW-17] a request opens its page", async () => {
  await openScreen("/niflow-requests");
  await names("weather").filter({ hasText: "Larger batches" }).click();
  await expectAddress("/niflow-requests/weather/2/3");
});

describe("New Request", () => {
  openOnce(async () => {
    await openScreen("/niflow-requests");
    await page.getByRole("button", { name: "New Request" }).click();
  });

  const chooseFlow = async () => {
    await flow().click();
    await page.getByRole("option", { name: "weather/storm-ingest" }).click();
  };

  it("[FLOW-13] asks for a flow, a name and content", async () => {
    await expect.element(flow()).toHaveFocus();
    await expectAccessible({ within: ["[role=dialog]"] });
    await flow().click();
    await expectTexts(page.getByRole("listbox").getByRole("option"), [
      "aviation/bird-strikes",
      "weather/storm-archive",
      "weather/storm-ingest",
    ]);
    await page.getByRole("option", { name: "weather/storm-ingest" }).click();
    await expect.element(requestName()).toBeVisible();
    await expect.element(content()).toBeInTheDocument();
  });

  it("[FLOW-14] is saved only with all three", async () => {
    await chooseFlow();
    await expect.element(save()).toBeDisabled();
    await requestName().fill("Retry");
    await expect.element(save()).toBeDisabled();
    await content().upload(flowFile(flowContent("storm-ingest"), "storm.JSON"));
    await expect.element(dialog()).toHaveTextContent(/storm\.JSON, \d+ bytes/);
    await expect.element(save()).toBeEnabled();
    await requestName().fill("  ");
    await expect.element(save()).toBeDisabled();
  });

  it("[FLOW-57][FLOW-62] creates and opens the request, and says so for 2 seconds", async () => {
    await chooseFlow();
    await content().upload(flowFile(flowContent("storm-ingest"), "storm.JSON"));
    await requestName().fill(" Retry ");
    await dialog().getByRole("textbox", { name: "Reason (optional)" }).fill("Uploads fail at night.");
    await expect.element(save()).toBeEnabled();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await save().click();
    await expectToastFor("Flow Request Created", 2000);
    expect(gateway.received(flows.createRequest).map(({ params, body }) => ({ params, body }))).toEqual([
      {
        params: { group: "weather", flowId: 1 },
        body: { name: "Retry", reason: "Uploads fail at night.", iterations: [{ content: flowContent("storm-ingest") }] },
      },
    ]);
    await expectAddress("/niflow-requests/weather/1/10");
  });
});

it("[FLOW-15] a failed creation says why, and keeps all that was entered", async () => {
  gateway.refuse(flows.createRequest, "no-room", "The flow has 200 open requests.");
  await openScreen("/niflow-requests");
  await page.getByRole("button", { name: "New Request" }).click();
  await flow().click();
  await page.getByRole("option", { name: "weather/storm-ingest" }).click();
  await requestName().fill("Retry");
  await content().upload(flowFile());
  await save().click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Failed to Create Flow RequestThe flow has 200 open requests.");
  await expect.element(requestName()).toHaveValue("Retry");
  await expect.element(save()).toBeEnabled();
  await press("Escape");
  await expect.element(page.getByRole("dialog", { name: /unsaved|Discard|Leave/i })).toBeVisible();
});

describe("the content of a new request", () => {
  openOnce(async () => {
    await openScreen("/niflow-requests");
    await page.getByRole("button", { name: "New Request" }).click();
  });

  const alert = dialog().getByRole("alert");
  const state = (text: string | RegExp) => expect.element(dialog()).toHaveTextContent(text);
  const empty = /A NiFi flow as JSON, XML or YAML, under 5MB\./;

  it("[FLOW-33] has up to 5,000,000 bytes", async () => {
    await chooseFile(content(), "largest.xml", "x".repeat(5_000_000));
    await state(/largest\.xml, 5\.0 MB/);
    await expect.element(alert).not.toBeInTheDocument();
    await chooseFile(content(), "larger.xml", "x".repeat(5_000_001));
    await expect.element(alert).toHaveTextContent('The file "larger.xml" is too large, files must be under 5MB.');
    await state(empty);
  });

  it("[FLOW-34] is XML, JSON or YAML", async () => {
    await expect.element(content()).toHaveAttribute("accept", ".xml,.json,.yaml,.yml");
    for (const name of ["a.yaml", "b.yml"]) {
      await content().upload(flowFile("flow: 1", name));
      await state(new RegExp(`${name.replace(".", "[.]")}, 7 bytes`));
      await expect.element(alert).not.toBeInTheDocument();
    }
    // Chosen with "All files", or dropped.
    await content().upload(flowFile("flow: 1", "flow.txt"));
    await expect.element(alert).toHaveTextContent('The file "flow.txt" is not an XML, JSON or YAML file.');
    await state(empty);
  });

  it("[FLOW-35] can be read as text that is not empty", async () => {
    await content().upload(flowFile(new Uint8Array([0x7b, 0xff, 0x7d]), "latin.json"));
    await expect.element(alert).toHaveTextContent('Failed to Read File The file "latin.json" is not UTF-8 text.');
    await content().upload(flowFile(" \n", "blank.json"));
    await expect.element(alert).toHaveTextContent('The file "blank.json" is empty.');
    vi.spyOn(File.prototype, "arrayBuffer").mockRejectedValueOnce(new DOMException("gone", "NotReadableError"));
    await content().upload(flowFile());
    await expect.element(alert).toHaveTextContent('Failed to Read File The file "storm-ingest.json" cannot be opened. Choose it again.');
    await expect.element(save()).toBeDisabled();
  });
});
