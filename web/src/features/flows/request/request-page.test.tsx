import { flowDifferences } from "@fairway/contract/flow-differences";
import { flows } from "@fairway/contract/flows";
import { describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { changesPage, fieldChange, flowComponent } from "#testing/flow-differences.tsx";
import { buildEvent, requestAddress, serveFlowRequest, textAddress } from "#testing/flow-request.ts";
import { buildIteration, buildMainIteration, flowContent } from "#testing/flows.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";

const heading = () => page.getByRole("heading", { level: 1, name: "Larger batches for best-track" });
const iterations = () => page.getByRole("navigation", { name: "Iterations" });
const iteration = (number: number) => iterations().getByRole("link", { name: new RegExp(`^Iteration ${number}\\b`) });
const content = () => page.getByRole("region", { name: "Content", exact: true });
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const alert = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });

describe("the iterations of a request", () => {
  openOnce(async () => {
    serveFlowRequest({ contents: ["first content", "second content", "third content"] });
    await openScreen(textAddress);
  });

  it("[FLOW-19][FLOW-56] are listed by their number, the newest first, with times in 12-hour format", async () => {
    await expect.element(heading()).toBeVisible();
    await expectTexts(iterations().getByRole("link"), [
      "Iteration 3grace, 11/18/2026, 01:40:09 PM",
      "Iteration 2grace, 11/18/2026, 12:40:09 PM",
      "Iteration 1grace, 11/18/2026, 11:40:09 AM",
    ]);
    await expect.element(page.getByText("storm-ingest in Weather, request 14, created 11/18/2026, 11:40:09 AM by grace")).toBeVisible();
    await expect.element(page.getByText("Times in UTC")).toBeVisible();
  });

  it("[FLOW-18] are shown one at a time or as differences", async () => {
    await expect.element(iterations().getByRole("radio", { name: "Single" })).toBeChecked();
    await expect.element(iterations().getByRole("radio", { name: "Diff" })).not.toBeChecked();
  });

  it("[FLOW-20] are read when they are chosen, the newest at first", async () => {
    await expect.element(content().getByText("third content")).toBeVisible();
    await expect.element(iteration(3)).toHaveAttribute("aria-current", "page");
    await iteration(1).click();
    await expect.element(content().getByText("first content")).toBeVisible();
    await expectAddress(`${requestAddress}?iteration=1`);
    await expect.element(iteration(1)).toHaveAttribute("aria-current", "page");
    await expectAccessible();

    await focus(iteration(1));
    await press("ArrowUp");
    await press("Enter");
    await expect.element(content().getByText("second content")).toBeVisible();
    await reloadScreen();
    await expect.element(content().getByText("second content")).toBeVisible();
    // Lists are read without contents, and each content once.
    expect(gateway.received(flows.iterations).every(({ query }) => query.content === "false")).toBe(true);
  });
});

it("[FLOW-21] compares two iterations, or one with the accepted content; the address holds what is compared", async () => {
  const stored = serveFlowRequest({ contents: ["same\nfirst", "same\nsecond", "same\nthird"] });
  const before = buildMainIteration(buildIteration(99, 1, { content: "same\naccepted" }), { requestId: 9 });
  gateway.answer(flows.mainIterations, [before]);
  gateway.answer(flows.iteration, ({ params }) => {
    const iteration = params.requestId === 9 ? before.iteration : stored.iterations.find(({ id }) => id === params.iterationId);
    return iteration ?? before.iteration;
  });
  await openScreen(`${requestAddress}?mode=diff&iteration=3`);
  await expect.element(page.getByRole("grid", { name: "Differences of Iteration 2 and iteration 3" })).toBeVisible();
  await expect.element(content().getByText("1 added, 1 removed")).toBeVisible();
  await expectAddress(`${requestAddress}?mode=diff&iteration=3`);
  await expectTexts(iterations().getByText(/^(shown|base)$/), ["shown", "base"]);

  await focus(content().getByRole("combobox", { name: "Compare" }));
  await content().getByRole("combobox", { name: "Compare" }).selectOptions("Iteration 1");
  await expect.element(page.getByRole("grid", { name: "Differences of Iteration 1 and iteration 3" })).toBeVisible();
  await expectAddress(`${requestAddress}?mode=diff&iteration=3&base=1`);
  // The focus stays in the choice, which is rendered anew.
  await expect.element(content().getByRole("combobox", { name: "Compare" })).toHaveFocus();
  await iteration(2).click();
  await expect.element(page.getByRole("grid", { name: "Differences of Iteration 1 and iteration 2" })).toBeVisible();
  // An iteration is never compared with itself.
  await iteration(1).click();
  await expect.element(page.getByText("This flow has no accepted content yet.")).not.toBeInTheDocument();
  await expectAddress(`${requestAddress}?mode=diff&iteration=1`);

  await content().getByRole("combobox", { name: "Compare" }).selectOptions("Accepted");
  const differences = page.getByRole("grid", { name: "Differences of Accepted and iteration 1" });
  await expect.element(differences.getByText("accepted", { exact: true })).toBeVisible();
  await reloadScreen();
  await expect.element(page.getByRole("grid", { name: "Differences of Accepted and iteration 1" })).toBeVisible();
  await expectAccessible();
});

it("opens on the changes against the accepted state, and on the text if there are no components", async () => {
  serveFlowRequest({ contents: ["{}", "{}", "{}"] });
  gateway.answer(flowDifferences.changes, changesPage([fieldChange(flowComponent("Fetch"), "Read Timeout", "15 secs", "60 secs")]));
  await openScreen(requestAddress);
  await expect.element(content().getByRole("region", { name: "Processor Fetch" })).toBeVisible();
  await expectAddress(requestAddress);
  const compared = () => gateway.received(flowDifferences.changes).at(-1)?.query;
  expect(compared()).toMatchObject({ iterationId: 143, against: "accepted" });
  await expect.element(content().getByRole("combobox", { name: "Compare" })).toHaveValue("accepted");
  await expectTexts(content().getByRole("group", { name: "View" }).getByRole("button"), ["Changes", "Drawing", "Text"]);
  // The iteration before is a choice.
  await content().getByRole("combobox", { name: "Compare" }).selectOptions("Iteration 2");
  await expect.poll(compared).toMatchObject({ iterationId: 143, against: 142 });
  await iterations().getByText("Single", { exact: true }).click();
  await expectAddress(`${requestAddress}?iteration=3`);
  await iterations().getByText("Diff", { exact: true }).click();
  await expect.element(content().getByRole("region", { name: "Processor Fetch" })).toBeVisible();
  await expectAddress(`${requestAddress}?mode=diff&view=changes&iteration=3&base=accepted`);

  gateway.answer(flowDifferences.changes, { outcome: "not-comparable", sentence: "The newer content is no flow.", against: null });
  await openScreen(`${requestAddress}?mode=diff&view=changes&iteration=2&base=1`);
  await content().getByRole("button", { name: "Show the text" }).click();
  await expect.element(page.getByRole("grid", { name: "Differences of Iteration 1 and iteration 2" })).toBeVisible();

  serveFlowRequest({ contents: ["name: storms"], formats: ["yaml"] });
  await openScreen(requestAddress);
  await expect.element(content().getByText("name: storms")).toBeVisible();
});

it("downloads any iteration under a name that identifies it", async () => {
  serveFlowRequest({ contents: [flowContent("a"), flowContent("b")], request: { flowName: "storm/ingest now" } });
  await openScreen(`${requestAddress}?iteration=1`);
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function save(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const blob = vi.spyOn(URL, "createObjectURL");
  await button("Download iteration 1").click();
  expect(names).toEqual(["storm_ingest_now-request-14-iteration-1.json"]);
  expect(await Promise.all(blob.mock.calls.map(([saved]) => (saved as Blob).text()))).toEqual([flowContent("a")]);
});

it("[FLOW-41] a request that cannot be loaded says so and can be tried again", async () => {
  serveFlowRequest();
  gateway.refuse(flows.request, "not-found", "There is no such request.", { times: 1 });
  await openScreen(textAddress);
  await expect.element(alert("Error loading flow request.")).toHaveTextContent("There is no such request.");
  await button("Retry").click();
  await expect.element(heading()).toBeVisible();
});

it("takes, takes over and gives back the review; authors cannot", async () => {
  const stored = serveFlowRequest({ request: { status: 1 } });
  await openScreen(textAddress);
  await expect.element(page.getByText(/by grace, no reviewer yet$/)).toBeVisible();
  await button("Take Review").click();
  await expect.element(page.getByText(/by grace, in review by ada$/)).toBeVisible();
  await button("Give Back").click();
  await expect.element(button("Take Review")).toBeVisible();
  stored.request = { ...stored.request, reviewerUsername: "linus" };
  gateway.refuse(flows.review, "conflict", "linus has taken the review.", { times: 1 });
  await button("Take Review").click();
  await expect.element(alert("Failed to Change Reviewer")).toHaveTextContent("linus has taken the review.");
  await button("Take Over").click();
  await expect.element(button("Give Back")).toBeVisible();
  expect(gateway.received(flows.review).map(({ body }) => body)).toEqual([
    { isReviewer: true, expectedReviewerUsername: null },
    { isReviewer: false, expectedReviewerUsername: "ada" },
    { isReviewer: true, expectedReviewerUsername: null },
    { isReviewer: true, expectedReviewerUsername: "linus" },
  ]);

  serveFlowRequest({ request: { isOwn: true, creatorUsername: "ada", reviewerUsername: "grace" } });
  await openScreen(textAddress);
  await expect.element(page.getByText(/in review by grace$/)).toBeVisible();
  await expectCount(page.getByRole("button", { name: /^(Take|Give)/ }), 0);
});

it("shows the reason of a request, and of each iteration where it is listed", async () => {
  const stored = serveFlowRequest({ request: { reason: "Smaller files." } });
  stored.iterations = stored.iterations.map((one) => (one.number === 2 ? { ...one, reason: "Level 6 is enough." } : one));
  stored.events = [...stored.events, buildEvent(2, "iteration", { iterationId: 142 })];
  await openScreen(textAddress);
  await expect.element(page.getByText("Smaller files.").first()).toBeVisible();
  await expect.element(iteration(2)).toHaveTextContent("Level 6 is enough.");
  await expectTexts(page.getByRole("list", { name: "Timeline" }).getByRole("listitem"), [
    /Request created by grace.*Smaller files\./,
    /Iteration 2 added by grace.*Level 6 is enough\./,
  ]);
});
