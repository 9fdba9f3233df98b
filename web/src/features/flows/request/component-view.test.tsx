import { flowDifferences } from "@fairway/contract/flow-differences";
import { expect, it } from "vitest";
import { expectAccessible } from "#testing/accessibility.ts";
import { requestAddress } from "#testing/flow-request.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { serve, member, viewer, views, card } from "#testing/component-views.ts";

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
