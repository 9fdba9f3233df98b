import { flowDifferences } from "@fairway/contract/flow-differences";
import { flowRequestStatus } from "@fairway/contract/flow-requests";
import { flows } from "@fairway/contract/flows";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { buildComment, requestAddress } from "#testing/flow-request.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { serve, member, viewer, views, card } from "#testing/component-views.ts";
import { press } from "#testing/keyboard.ts";

it("compares an accepted request with what it replaced", async () => {
  const { iterations } = serve({ request: { status: flowRequestStatus.accepted } });
  const [first, last] = iterations;
  if (!first || !last) throw new Error("there are no iterations");
  const accepted = { timeMs: 1, acceptedByUsername: "root" };
  gateway.answer(flows.mainIterations, [
    { ...accepted, iteration: last, requestId: 14, requestName: "Larger batches" },
    { ...accepted, iteration: { ...first, id: 77 }, requestId: 9, requestName: "Before" },
  ]);
  await openScreen(`${requestAddress}?mode=diff&view=changes&base=accepted`, member);
  await expect.element(card("Fetch")).toBeVisible();
  expect(gateway.received(flowDifferences.changes)[0]?.query).toMatchObject({ iterationId: 142, against: 77 });
});

const onComponent = (componentId: string, name: string) => ({
  anchor: { kind: "component" as const, iterationId: 141, componentId, name },
});

it("shows a comment at the component of its name when the ids changed, and says why others are outdated", async () => {
  serve({
    comments: [
      buildComment(1, "Is that long enough?", onComponent("id-of-first-export", "Publish")),
      buildComment(2, "Still needed?", onComponent("id-gone", "Merge")),
    ],
  });
  await openScreen(`${requestAddress}?mode=diff&view=changes&component=id-of-first-export`, member);
  await expect.element(card("Publish").getByText("Is that long enough?")).toBeVisible();
  await expect.poll(() => document.activeElement?.textContent).toContain("The Retry Count of");
  await expect
    .element(viewer.getByText('Outdated Comments on "Merge" are only in the conversation: no component here has this name.'))
    .toBeVisible();
  await expectAccessible();
  await views.getByRole("button", { name: "Drawing" }).click();
  await expect.element(viewer.getByText(/^Outdated Comments on "Merge"/)).toBeVisible();
  await viewer.getByRole("option", { name: "Publish Processor" }).click();
  await expect.element(viewer.getByRole("region", { name: "Comments on Publish" })).toHaveTextContent("Is that long enough?");
});

it("says so where a component is not among the changes", async () => {
  serve();
  await openScreen(`${requestAddress}?mode=diff&view=changes&component=id-Log`, member);
  await expect.element(viewer.getByText("The component isn't among the changes shown.")).toBeVisible();
});

it("shows the checks of the last iteration before it is submitted", async () => {
  serve({ request: { isOwn: true } });
  gateway.answer(flowDifferences.checks, {
    checks: [{ check: "clear-secrets", severity: "warning", sentence: "A password in clear.", component: null }],
    counts: { error: 0, warning: 1, info: 0 },
    seenMs: null,
  });
  await openScreen(requestAddress, member);
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Submit for Review" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText("A password in clear.")).toBeVisible();
  expect(gateway.received(flowDifferences.checks)[0]?.query).toEqual({ iterationId: 142 });
  await expectAccessible();
  await dialog.getByRole("button", { name: "Submit", exact: false }).click();
  await expect.poll(() => gateway.received(flows.submit).length).toBe(1);
});

it("the drawing has the room of the comments, which are opened beside it", async () => {
  await page.viewport(1440, 900);
  serve({ comments: [buildComment(1, "Why so long?")] });
  await openScreen(`${requestAddress}?mode=diff&view=drawing&base=accepted`, member);
  const canvas = viewer.getByRole("application");
  await expect.element(canvas).toBeVisible();
  await expect.poll(() => canvas.element().getBoundingClientRect().width).toBeGreaterThan(590);
  expect(canvas.element().getBoundingClientRect().height).toBeGreaterThan(600);
  await page.getByRole("button", { name: "Comments 1" }).click();
  await expect.element(page.getByText("Why so long?")).toBeVisible();
  await page.getByRole("button", { name: "Close comments" }).click();
  await expect.element(page.getByText("Why so long?")).not.toBeInTheDocument();
  await views.getByRole("button", { name: "Changes" }).click();
  await expect.element(page.getByText("Why so long?")).toBeVisible();
});

it("fits a phone", async () => {
  await page.viewport(390, 844);
  serve();
  await openScreen(`${requestAddress}?mode=diff&view=changes`, member);
  await expect.element(card("Fetch")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await views.getByRole("button", { name: "Drawing" }).click();
  await expect.element(viewer.getByRole("application")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

it("comments on a component, and leads from the timeline to it", async () => {
  serve({
    comments: [
      buildComment(1, "Is that long enough?", {
        anchor: { kind: "component", iterationId: 142, componentId: "id-Publish", name: "Publish" },
      }),
    ],
  });
  await openScreen(`${requestAddress}?mode=diff&view=changes`, member);
  await expect.element(card("Publish").getByText("Is that long enough?")).toBeVisible();
  await card("Fetch").getByRole("button", { name: "Comment on Fetch" }).click();
  const box = card("Fetch").getByRole("textbox", { name: "new comment on Fetch" });
  await expect.element(box).toHaveFocus();
  await box.fill("Why a minute?");
  await card("Fetch").getByRole("button", { name: "Add" }).click();
  await expect.element(card("Fetch").getByText("Why a minute?")).toBeVisible();
  expect(gateway.received(flows.comment)[0]?.body).toEqual({
    text: "Why a minute?",
    anchor: { kind: "component", iterationId: 142, componentId: "id-Fetch", name: "Fetch" },
  });
  await views.getByRole("button", { name: "Text" }).click();
  await page.getByRole("link", { name: "On Publish, iteration 2" }).click();
  await expect.poll(() => document.activeElement?.textContent).toContain("The Retry Count of");
  await views.getByRole("button", { name: "Drawing" }).click();
  await press("n", viewer.getByRole("application"));
  await expect.element(viewer.getByRole("region", { name: "Comments on Fetch" })).toHaveTextContent("Why a minute?");
});
