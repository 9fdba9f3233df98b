import { flowRequestStatus } from "@fairway/contract/flow-requests";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { addIteration, happen, serveFlowRequest, textAddress } from "#testing/flow-request.ts";
import { press } from "#testing/keyboard.ts";
import { openScreen, gateway } from "#testing/open-screen.tsx";
import { choose, button, dialog, status } from "#testing/request-actions.ts";
import { flows } from "@fairway/contract/flows";

const { abandoned } = flowRequestStatus;
const admin = { roles: ["admin"] };
const alert = (text: string) => page.getByRole("alert").filter({ hasText: text });

it("a request that changed meanwhile shows what happened and its present state before it is accepted", async () => {
  const stored = serveFlowRequest({ request: { canDecide: true } });
  await openScreen(textAddress, admin);
  await choose("Accept");
  await expect.element(dialog("Accept this request?")).toHaveTextContent("Iteration 2 becomes");
  addIteration(stored);
  // The page learns of it while the dialog names iteration 2.
  window.dispatchEvent(new Event("visibilitychange"));
  await expect.element(page.getByText("Iteration 3 added by grace.")).toBeInTheDocument();
  const accept = () => dialog("Accept this request?").getByRole("button", { name: "Accept" });
  await accept().click();
  await expect.element(alert("Failed to Set Request Status")).toBeVisible();
  const note = () => dialog("Accept this request?").getByRole("alert");
  await expect.element(note()).toHaveTextContent("The request changed in the meantime. Review it before you continue.");
  await expectTexts(note().getByRole("listitem"), [/^Iteration 3 added by grace, /]);
  await expect.element(note()).toHaveTextContent("Now:In Progressiteration 3");
  await expect.element(dialog("Accept this request?")).toHaveTextContent("Iteration 3 becomes");
  await expectAccessible();

  stored.request = { ...stored.request, status: abandoned };
  happen(stored, "abandoned");
  await accept().click();
  await expect.element(note()).toHaveTextContent("so this is no longer possible.");
  await expect.element(note()).toHaveTextContent("Now:Abandoned");
  await expect.element(accept()).toBeDisabled();
  await dialog("Accept this request?").getByRole("button", { name: "Cancel" }).click();
  await expect.element(status("Abandoned")).toBeVisible();
});

it("a text that a decision is too late for waits in the box for a new comment", async () => {
  const stored = serveFlowRequest({ request: { canDecide: true } });
  await openScreen(textAddress, admin);
  await page.getByRole("textbox", { name: "new comment" }).fill("Begun before.");
  await choose("Reject");
  await dialog("Reject this request?").getByRole("textbox").fill("Too large.");
  stored.request = { ...stored.request, status: abandoned };
  happen(stored, "abandoned");
  await press("Control+Enter");
  await expect.element(dialog("Reject this request?").getByRole("alert")).toHaveTextContent("so this is no longer possible.");
  // Nothing can be sent, so nothing can be typed.
  await expectCount(dialog("Reject this request?").getByRole("textbox"), 0);
  await expect
    .element(dialog("Reject this request?"))
    .toHaveTextContent("Your text wasn't sent. It's now in the box for a new comment.Too large.");
  await expect.element(dialog("Reject this request?").getByRole("button", { name: "Cancel" })).toHaveFocus();
  await expectAccessible();
  await press("Escape");
  await expect.element(page.getByRole("textbox", { name: "new comment" })).toHaveValue("Begun before.\n\nToo large.");
  await button("Add").click();
  await expect.element(page.getByText("Too large.")).toBeVisible();
});

it("abandons only after a confirmation", async () => {
  serveFlowRequest();
  await openScreen(textAddress);
  await choose("Abandon");
  await expect.element(dialog("Abandon this request?")).toHaveTextContent("it cannot be changed or opened again.");
  expect(gateway.received(flows.abandon)).toEqual([]);
  await dialog("Abandon this request?").getByRole("button", { name: "Abandon" }).click();
  await expect.element(status("Abandoned")).toBeVisible();
});
