import { flows } from "@fairway/contract/flows";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectTexts, expectToastFor } from "#testing/assertions.ts";
import { buildComment, buildEvent, requestAddress, serveFlowRequest, textAddress } from "#testing/flow-request.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { numbered, panel, timeline, comments, box, add, alert } from "#testing/comments.ts";

const lines = (name: string) => page.getByRole("grid", { name });
const thread = (line: number) => page.getByRole("region", { name: `Comments on line ${line}`, exact: true });

it("[FLOW-36] [FLOW-56] shows comments and events in one timeline, with author, time and text", async () => {
  serveFlowRequest({
    comments: [
      buildComment(1, "Please use **2,000** records, @ada.", { mentions: ["ada"] }),
      buildComment(3, "", { isDeleted: true }),
      buildComment(4, "Done.", { commenterUsername: "linus", editedDateMs: 1_800_000_000_000 }),
    ],
    events: [buildEvent(1, "created"), buildEvent(3, "iteration", { iterationId: 142 })],
  });
  await openScreen(textAddress);
  await expectTexts(timeline().getByRole("listitem"), [
    "Ggrace11/18/2026, 11:41:09 AMPlease use 2,000 records, @ada.",
    "Request created by grace, 11/18/2026, 11:41:10 AM",
    "Ggrace11/18/2026, 11:43:09 AMComment deleted",
    "Iteration 2 added by grace, 11/18/2026, 11:43:10 AM",
    "Llinus11/18/2026, 11:44:09 AM, editedDone.",
  ]);
  await expectTexts(timeline().getByRole("strong").or(timeline().getByText("2,000")), ["grace", "2,000", "grace", "linus"]);
  await expect.element(timeline().getByText("@ada", { exact: true })).toBeVisible();
  await expectAccessible();
});

it("[FLOW-37] [FLOW-38] adds a comment, which cannot be empty", async () => {
  serveFlowRequest();
  await openScreen(textAddress);
  await expect.element(add()).toBeDisabled();
  await box().fill("  \n ");
  await expect.element(add()).toBeDisabled();
  await press("Control+Enter", box());
  await box().fill("Looks good.");
  await add().click();
  await expect.element(comments().last()).toHaveTextContent("Looks good.");
  await expect.element(box()).toHaveValue("");
  await box().fill("And **one** more.");
  await press("Control+Enter", box());
  await expect.element(comments().last()).toHaveTextContent("And one more.");
  expect(gateway.received(flows.comment).map(({ body }) => body)).toEqual([{ text: "Looks good." }, { text: "And **one** more." }]);
});

it("[FLOW-57] a comment is confirmed for 2000 ms, and an edit for 1200 ms", async () => {
  serveFlowRequest();
  await openScreen(textAddress);
  await box().fill("Looks good.");
  vi.useFakeTimers();
  await add().click();
  await expectToastFor("Comment added", 2000);
  await comments().getByRole("button", { name: "Edit comment" }).click();
  await comments().getByRole("textbox", { name: "Edit comment" }).fill("Looks better.");
  vi.useFakeTimers();
  await comments().getByRole("button", { name: "Save" }).click();
  await expectToastFor("Comment saved", 1200);
});

it("[FLOW-39] a failed comment shows 'Failed to Add Comment', and the text is in the box again", async () => {
  serveFlowRequest();
  gateway.refuse(flows.comment, "no-room", "The request has 5,000 comments.", { times: 1 });
  await openScreen(textAddress);
  await box().fill("Looks good.");
  await add().click();
  await expect.element(alert("Failed to Add Comment")).toHaveTextContent("The request has 5,000 comments.");
  await expect.element(box()).toHaveValue("Looks good.");
  await add().click();
  await expect.element(comments().last()).toHaveTextContent("Looks good.");
});

it("[FLOW-40] comments that cannot be loaded say so beside the content, and can be tried again", async () => {
  serveFlowRequest({ comments: [buildComment(1, "There you are.")] });
  gateway.refuse(flows.comments, "internal", "The database is away.", { times: 1 });
  await openScreen(textAddress);
  await expect.element(alert("Error loading comments.")).toHaveTextContent("The database is away.");
  await expect.element(lines("Iteration 2")).toBeVisible();
  await panel().getByRole("button", { name: "Retry" }).click();
  await expect.element(comments()).toHaveTextContent("There you are.");
});

it("an unsent comment and an unsaved edit survive a reload", async () => {
  serveFlowRequest({ comments: [buildComment(1, "Mine.", { commenterUsername: "ada" })] });
  await openScreen(textAddress);
  await box().fill("Not sent");
  await comments().getByRole("button", { name: "Edit comment" }).click();
  await comments().getByRole("textbox", { name: "Edit comment" }).fill("Not saved");
  await reloadScreen();
  await expect.element(box()).toHaveValue("Not sent");
  await expect.element(comments().getByRole("textbox", { name: "Edit comment" })).toHaveValue("Not saved");
});

it("a line is commented on from its number; the comment is below its line and in the timeline, which leads to it", async () => {
  serveFlowRequest({ contents: [numbered(), numbered({ 1: "changed" })] });
  await openScreen(textAddress);
  await lines("Iteration 2").getByText("line 5", { exact: true }).click();
  await page.getByRole("button", { name: "Comment on line 5" }).click();
  const field = thread(5).getByRole("textbox", { name: "new comment on line 5" });
  await expect.element(field).toHaveFocus();
  await field.fill("Why five?");
  await reloadScreen();
  await expect.element(field).toHaveValue("Why five?");

  await thread(5).getByRole("button", { name: "Add" }).click();
  await expect.element(thread(5).getByRole("article")).toHaveTextContent("Why five?");
  expect(gateway.received(flows.comment).at(-1)?.body).toEqual({ text: "Why five?", anchor: { kind: "line", iterationId: 142, line: 5 } });
  await expect.element(thread(5).getByRole("button", { name: "Reply" })).toBeVisible();

  await page.getByRole("link", { name: /^Iteration 1/ }).click();
  await expect.element(lines("Iteration 1").getByText("line 1", { exact: true })).toBeVisible();
  await comments().getByRole("link", { name: "Line 5, from iteration 2" }).click();
  await expectAddress(`${requestAddress}?iteration=1&line=5`);
  await expect.element(lines("Iteration 1").getByRole("row").filter({ hasText: "line 5" }).first()).toHaveFocus();
});
