import { flows } from "@fairway/contract/flows";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { buildFlow, buildFlowGroup, buildFlowRequest, flowFile, serveFlows } from "#testing/flows.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { content, dialog, day, flow, names, requestName, save, search, serveRequests, statusFilter } from "#testing/requests-pages.ts";

beforeEach(serveRequests);

it("a byte order mark is no part of the content", async () => {
  await openScreen("/niflow-requests");
  await page.getByRole("button", { name: "New Request" }).click();
  await flow().click();
  await page.getByRole("option", { name: "weather/storm-ingest" }).click();
  await requestName().fill("Retry");
  await content().upload(flowFile("\uFEFF{}", "marked.json"));
  await save().click();
  await expect.poll(() => gateway.received(flows.createRequest).map(({ body }) => body.iterations)).toEqual([[{ content: "{}" }]]);
});

it("a file can be dropped on the field, and the last of two files counts", async () => {
  await openScreen("/niflow-requests");
  await page.getByRole("button", { name: "New Request" }).click();
  const drop = (file: File) => {
    const data = new DataTransfer();
    data.items.add(file);
    const target = dialog().element().querySelector(`label[for="${content().element().id}"] ~ div`);
    expect(target).not.toBeNull();
    target?.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
  };
  let finishFirst = () => {};
  vi.spyOn(File.prototype, "arrayBuffer").mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        finishFirst = () => resolve(new TextEncoder().encode("slow").buffer);
      }),
  );
  await expect.element(content()).toBeInTheDocument();
  drop(flowFile("slow", "slow.json"));
  drop(flowFile("quick", "quick.json"));
  await expect.element(dialog()).toHaveTextContent("quick.json, 5 bytes");
  finishFirst();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect.element(dialog()).toHaveTextContent("quick.json, 5 bytes");
});

it("flows that cannot be loaded for a new request are reported, with a retry", async () => {
  await openScreen("/niflow-requests");
  await expectCount(page.getByRole("table"), 2);
  gateway.refuse(flows.list, "internal", "The database is starting.");
  await page.getByRole("button", { name: "New Request" }).click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Some flows could not be loaded.");
  serveFlows([{ group: buildFlowGroup("weather"), flows: [buildFlow(1, "storm-ingest")], requests: [] }]);
  gateway.answer(flows.list, [buildFlow(1, "storm-ingest")]);
  await dialog().getByRole("button", { name: "Retry" }).click();
  await expect.element(dialog().getByRole("alert")).not.toBeInTheDocument();
  await flow().click();
  await expect.element(page.getByRole("option", { name: "weather/storm-ingest" })).toBeVisible();
});

it("requests that cannot be loaded are reported per group, and an empty list says what is missing", async () => {
  gateway.refuse(flows.groupRequests, "internal", "The database is starting.");
  const release = gateway.hold(flows.groupRequests);
  await openScreen("/niflow-requests");
  await expect.element(page.getByRole("status", { name: "Loading the requests of weather" })).toBeVisible();
  release();
  const section = page.getByRole("region", { name: "weather" });
  await expect.element(section.getByRole("alert")).toHaveTextContent("Failed to Load Flow Requests");
  gateway.answer(flows.groupRequests, []);
  gateway.answer(flows.requestCounts, { all: 0, review: 0, mine: 0 });
  await section.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("There is no open flow request.")).toBeVisible();
  await expectCount(page.getByRole("button", { name: "New Request" }), 2);
  await statusFilter.selectOptions("Ready for Review");
  await expect.element(page.getByText("There is no flow request with the status Ready for Review.")).toBeVisible();
  await page.getByText("Needs my review 0").click();
  await expect.element(page.getByText("No flow request with the status Ready for Review is waiting for your review.")).toBeVisible();
});

it("a long list is read a page at a time, filtered by the gateway, and a page that fails can be tried again", async () => {
  const many = Array.from({ length: 450 }, (_, index) =>
    buildFlowRequest(index + 1, `Change ${index + 1}`, { createdDateMs: day(1) + index }),
  );
  serveFlows([{ group: buildFlowGroup("weather"), flows: [buildFlow(1, "storm-ingest")], requests: many }]);
  await openScreen("/niflow-requests");
  await expect.element(page.getByText("450 open requests", { exact: true })).toBeVisible();
  await expectCount(names("weather"), 200);
  await expect.element(page.getByText("200 of 450 shown")).toBeVisible();
  gateway.refuse(flows.groupRequests, "internal", "The database is starting.", { times: 1 });
  await page.getByRole("button", { name: "Show More" }).click();
  await expect
    .element(page.getByRole("region", { name: "weather" }).getByRole("alert"))
    .toHaveTextContent("More requests could not be loaded. The database is starting.");
  await expectCount(names("weather"), 200);
  await page.getByRole("button", { name: "Show More" }).click();
  await expectCount(names("weather"), 400);
  await expect.element(names("weather").last()).toHaveTextContent("Change 51");
  expect(gateway.received(flows.groupRequests).at(-1)?.query).toMatchObject({ state: "open", limit: 200, before: 251 });
  await search.fill("change 44");
  // Both words, wherever they stand: 44, 144, 244, 344 and 440 to 449.
  await expectCount(names("weather"), 14);
  await expect.element(page.getByRole("button", { name: "Show More" })).not.toBeInTheDocument();
  await expect.element(page.getByText("14 open requests", { exact: true })).toBeVisible();
  expect(gateway.received(flows.groupRequests).at(-1)?.query.search).toBe("change 44");
});

it("the time zone is where text would be, and makes the header no higher", async () => {
  await page.viewport(1440, 900);
  await openScreen("/niflow-requests");
  await expect.element(page.getByText(/^Times in /)).toBeVisible();
  const textBox = (text: RegExp) => {
    const range = document.createRange();
    range.selectNodeContents(page.getByText(text).element());
    return range.getBoundingClientRect();
  };
  await expect.element(page.getByText(/open requests$/)).toBeVisible();
  expect(textBox(/^Times in /).left - textBox(/open requests$/).right).toBeCloseTo(12, 0);
  const header = page.getByRole("heading", { name: "Flow Requests", level: 1 }).element().closest("header");
  expect(header?.getBoundingClientRect().height).toBe(64);
});

it("on a phone, each request is a card that names its values", async () => {
  await page.viewport(390, 844);
  await openScreen("/niflow-requests");
  await expectCount(names("weather"), 4);
  expect(document.documentElement.scrollWidth).toBe(390);
  const [first, second] = names("weather")
    .elements()
    .map((element) => element.getBoundingClientRect());
  expect(first?.left).toBe(second?.left);
  expect((second?.top ?? 0) - (first?.bottom ?? 0)).toBeGreaterThan(80);
  await expectAccessible();
});

it("shows the name of a request with a reason on one line on a phone", async () => {
  await page.viewport(390, 844);
  await openScreen("/niflow-requests");
  const link = names("weather").filter({ hasText: "Skip quarry blasts" });
  await expect.element(link).toBeVisible();
  const { width, height } = link.element().getBoundingClientRect();
  expect(width).toBeGreaterThan(height);
});
