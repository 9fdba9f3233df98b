import { flowDifferences } from "@fairway/contract/flow-differences";
import { flows } from "@fairway/contract/flows";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, isWithinWindow } from "#testing/assertions.ts";
import { changesPage, fieldChange, flowComponent } from "#testing/flow-differences.tsx";
import { addIteration, buildComment, happen, lineAnchor, requestAddress, serveFlowRequest, textAddress } from "#testing/flow-request.ts";
import { buildIteration, buildMainIteration } from "#testing/flows.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const heading = () => page.getByRole("heading", { level: 1, name: "Larger batches for best-track" });
const iterations = () => page.getByRole("navigation", { name: "Iterations" });
const iteration = (number: number) => iterations().getByRole("link", { name: new RegExp(`^Iteration ${number}\\b`) });
const content = () => page.getByRole("region", { name: "Content", exact: true });
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const alert = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });

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

it("reports what others do meanwhile, and keeps showing the iteration that is being read", async () => {
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

it("on a phone, the content comes first: the conversation about the request is unfolded", async () => {
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
