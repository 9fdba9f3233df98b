import { flowDifferences } from "@fairway/contract/flow-differences";
import { flows } from "@fairway/contract/flows";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { buildComment, requestAddress } from "#testing/flow-request.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { serve } from "#testing/component-views.ts";

const member = { roles: ["flow-developer-weather"] };

const viewer = page.getByRole("region", { name: "Content" });
const views = viewer.getByRole("group", { name: "View" });
const card = (name: string) => viewer.getByRole("region", { name: `Processor ${name}` });

it("shows differences as text, as sentences or as a drawing, which the address keeps", async () => {
  serve();
  await openScreen(`${requestAddress}?mode=diff`, member);
  await expect.element(views.getByRole("button", { name: "Text" })).toHaveAttribute("aria-pressed", "true");
  await views.getByRole("button", { name: "Changes" }).click();
  await expect.element(card("Fetch")).toBeVisible();
  expect(new URLSearchParams(location.search).get("view")).toBe("changes");
  expect(gateway.received(flowDifferences.changes)[0]?.query).toMatchObject({ iterationId: 142, against: 141 });
  // The view is rendered anew, and the button keeps the focus.
  await expect.element(views.getByRole("button", { name: "Changes" })).toHaveFocus();
  await expectAccessible();
  await viewer.getByRole("combobox", { name: "Compare" }).selectOptions("Accepted");
  await expect.poll(() => gateway.received(flowDifferences.changes).at(-1)?.query.against).toBe("accepted");
  await views.getByRole("button", { name: "Drawing" }).click();
  await expect.element(viewer.getByRole("application")).toHaveAccessibleName(/Drawing of storm-ingest/);
  await expect.poll(() => gateway.received(flowDifferences.drawing).at(-1)?.query).toEqual({ iterationId: 142, against: "accepted" });
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
