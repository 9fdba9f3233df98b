import { flowDifferences } from "@fairway/contract/flow-differences";
import { flows } from "@fairway/contract/flows";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts, isWithinWindow } from "#testing/assertions.ts";
import { describeScreen } from "#testing/describe-screen.tsx";
import { changesPage, fieldChange, flowComponent } from "#testing/flow-differences.tsx";
import {
  addIteration,
  buildComment,
  buildEvent,
  happen,
  lineAnchor,
  requestAddress,
  serveFlowRequest,
  textAddress,
} from "#testing/flow-request.ts";
import { buildIteration, buildMainIteration, flowContent } from "#testing/flows.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";

const heading = () => page.getByRole("heading", { level: 1, name: "Larger batches for best-track" });
const iterations = () => page.getByRole("navigation", { name: "Iterations" });
const iteration = (number: number) => iterations().getByRole("link", { name: new RegExp(`^Iteration ${number}\\b`) });
const content = () => page.getByRole("region", { name: "Content", exact: true });
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const alert = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });

describeScreen(
  "the iterations of a request",
  async () => {
    serveFlowRequest({ contents: ["first content", "second content", "third content"] });
    await openScreen(textAddress);
  },
  () => {
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
  },
);

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

it("opens on the changes against what is accepted, and on the text of what has no components", async () => {
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

it("says that nothing was accepted yet, and compares an accepted request with what it replaced", async () => {
  const stored = serveFlowRequest({ contents: ["only"] });
  await openScreen(`${requestAddress}?mode=diff`);
  await expect
    .element(content().getByText("This flow has no accepted content yet. There is nothing to compare iteration 1 with."))
    .toBeVisible();
  await expectAccessible();

  stored.request = { ...stored.request, status: 3 };
  const own = buildMainIteration(buildIteration(141, 1, { content: null }), { requestId: 14 });
  const replaced = buildMainIteration(buildIteration(99, 1, { content: null }), { requestId: 9 });
  gateway.answer(flows.mainIterations, [own, replaced]);
  gateway.answer(flows.iteration, ({ params }) =>
    buildIteration(params.iterationId, 1, { content: params.requestId === 9 ? "replaced" : "only" }),
  );
  await openScreen(`${requestAddress}?mode=diff`);
  await expect.element(page.getByRole("grid").getByText("replaced", { exact: true })).toBeVisible();
});

it("downloads any iteration with a name that tells it", async () => {
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
  await expectAccessible();
  await button("Retry").click();
  await expect.element(heading()).toBeVisible();
});

it("reads the comments and events once, together with the request and its iterations", async () => {
  serveFlowRequest({ comments: [buildComment(1, "Why?")] });
  const release = gateway.hold(flows.iterations);
  await openScreen(textAddress);
  await vi.waitFor(() => expect([flows.comments, flows.events].map((route) => gateway.received(route).length)).toEqual([1, 1]));
  release();
  await expect.element(page.getByRole("article").getByText("Why?")).toBeVisible();
  expect([flows.comments, flows.events].map((route) => gateway.received(route).length)).toEqual([1, 1]);
});

it("an iteration whose content cannot be loaded says so beside all others", async () => {
  serveFlowRequest({ contents: ["first", "second"] });
  gateway.refuse(flows.iteration, "internal", "The content is damaged.", { times: 1 });
  await openScreen(textAddress);
  await expect.element(alert("Failed to Load Flow")).toHaveTextContent("The content is damaged.");
  await content().getByRole("button", { name: "Retry" }).click();
  await expect.element(content().getByText("second", { exact: true })).toBeVisible();
});

it("tells what others do meanwhile, and keeps showing the iteration that is being read", async () => {
  const stored = serveFlowRequest({ contents: ["first", "second"] });
  await openScreen(textAddress);
  await expect.element(content().getByText("second", { exact: true })).toBeVisible();
  addIteration(stored);
  stored.comments = [buildComment(1, "What is this?")];
  // As when the user comes back to the tab.
  window.dispatchEvent(new Event("visibilitychange"));
  const news = page.getByRole("status", { name: "News" });
  await expect.element(news).toHaveTextContent("Iteration 3 added by grace. 1 new comment.");
  await expect.element(content().getByText("second", { exact: true })).toBeVisible();
  await expectAccessible();
  await news.getByRole("button", { name: "Show iteration 3" }).click();
  await expectAddress(`${requestAddress}?iteration=3`);
  await expect.element(news).not.toBeVisible();

  happen(stored, "submitted");
  stored.request = { ...stored.request, status: 1 };
  window.dispatchEvent(new Event("visibilitychange"));
  await expect.element(news).toHaveTextContent("Submitted for review by grace.");
  await expect.element(page.getByText("Ready for Review", { exact: true })).toBeVisible();
  await news.getByRole("button", { name: "Dismiss" }).click();
  await expect.element(news).not.toBeVisible();
});

it("polls while it is open", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"], shouldAdvanceTime: true });
  const stored = serveFlowRequest({ contents: ["first"] });
  await openScreen(textAddress);
  await expect.element(heading()).toBeVisible();
  happen(stored, "submitted");
  stored.request = { ...stored.request, status: 1 };
  await vi.advanceTimersByTimeAsync(15_500);
  await expect.element(page.getByRole("status", { name: "News" })).toHaveTextContent("Submitted for review by grace.");
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

it("on narrow windows the comments are in a drawer, and on a phone everything is reachable", async () => {
  serveFlowRequest({ contents: ["first", "second"], comments: [buildComment(1, "Too large?")] });
  await page.viewport(1024, 768);
  await openScreen(textAddress);
  await expect.element(content().getByText("second", { exact: true })).toBeVisible();
  await expectCount(page.getByRole("region", { name: "Comments" }), 0);
  await button("Comments 1").click();
  await expect.element(page.getByRole("dialog", { name: "Comments" }).getByText("Too large?")).toBeVisible();
  await expectAccessible();
  await press("Escape");
  await expect.element(button("Comments 1")).toHaveFocus();
  await expectAddress(textAddress);

  await page.viewport(390, 844);
  await openScreen(textAddress);
  await expect.element(content().getByText("second", { exact: true })).toBeVisible();
  await content().getByRole("combobox", { name: "Show" }).selectOptions("Iteration 1");
  await expect.element(content().getByText("first", { exact: true })).toBeVisible();
  await content().getByText("Diff", { exact: true }).click();
  await expect.element(content().getByRole("combobox", { name: "Compare" })).toBeVisible();
  expect(isWithinWindow(button("Actions"))).toBe(true);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectAccessible();
});

it("on a phone, the content comes first: what is said of the request is unfolded", async () => {
  serveFlowRequest({ request: { status: 1, reason: "Smaller files." }, comments: [buildComment(1, "Too large?")] });
  gateway.answer(flowDifferences.changes, changesPage([fieldChange(flowComponent("Fetch"), "Read Timeout", "15 secs", "60 secs")]));
  await page.viewport(390, 844);
  await openScreen(requestAddress, { roles: ["admin"] });
  const card = content().getByRole("region", { name: "Processor Fetch" });
  await expect.element(card).toBeVisible();
  expect(card.element().getBoundingClientRect().top).toBeLessThan(380);
  for (const name of ["Comments 1", "Deployments", "Take Review", "Actions"]) expect(isWithinWindow(button(name))).toBe(true);
  await expect.element(page.getByText(/no reviewer yet/)).not.toBeInTheDocument();
  await button("Details").click();
  await expect.element(page.getByText(/by grace, no reviewer yet$/)).toBeVisible();
  await expect.element(page.getByText("Smaller files.").first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await expectAccessible();
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
  await expectAccessible();
});

it("on a phone, the comments are closed by their button or by Back, which does not leave the request", async () => {
  serveFlowRequest({ comments: [buildComment(1, "Too large?", { anchor: lineAnchor(buildIteration(142, 2), 2) })] });
  await page.viewport(390, 844);
  await openScreen(`${requestAddress}?line=3`);
  const drawer = () => page.getByRole("dialog", { name: "Comments" });
  await button("Comments 1").click();
  await expect.element(drawer().getByText("Too large?")).toBeVisible();
  await expect.element(button("Close comments")).toBeVisible();
  await expectAccessible();
  await button("Close comments").click();
  await expectCount(drawer(), 0);
  await expect.element(button("Comments 1")).toHaveFocus();

  await button("Comments 1").click();
  await expect.element(drawer().getByText("Too large?")).toBeVisible();
  history.back();
  await expectCount(drawer(), 0);
  await expectAddress(`${requestAddress}?line=3`);

  // A link leads to what the drawer covers, and back again.
  await button("Comments 1").click();
  await drawer().getByRole("link", { name: "Line 2 of iteration 2" }).click();
  await expectCount(drawer(), 0);
  await expectAddress(`${requestAddress}?iteration=2&line=2`);
  history.back();
  await expect.element(drawer().getByText("Too large?")).toBeVisible();
  await press("Escape");
  await press("Escape");
  await expectCount(drawer(), 0);
  await expectAddress(`${requestAddress}?line=3`);
});

it("many iterations and comments are listed without rendering all of them", async () => {
  const comments = Array.from({ length: 1_000 }, (_, index) => buildComment(index + 1, `Comment **${index + 1}**`));
  serveFlowRequest({ contents: Array.from({ length: 200 }, (_, index) => `content ${index + 1}`), comments });
  await openScreen(textAddress);
  await expectCount(iterations().getByRole("link"), 200);
  const timeline = page.getByRole("list", { name: "Timeline" });
  await expect.element(timeline.getByText("Comment 1000")).toBeVisible();
  expect(timeline.getByRole("article").elements().length).toBeLessThan(40);
  await expect.element(timeline.getByRole("listitem").last()).toHaveAttribute("aria-setsize", "1001");
  expect(iteration(200).element().getAttribute("tabindex")).toBe("0");
  expect(iteration(1).element().getAttribute("tabindex")).toBe("-1");
});
