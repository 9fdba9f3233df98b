import { flows } from "@fairway/contract/flows";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { buildComment, lineAnchor, requestAddress, serveFlowRequest, textAddress } from "#testing/flow-request.ts";
import { buildIteration } from "#testing/flows.ts";
import { focus, press, type } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { numbered, comments, box, add, alert } from "#testing/comments.ts";
import { expectAccessible } from "#testing/accessibility.ts";

const thread = (line: number) => page.getByRole("region", { name: `Comments on line ${line}`, exact: true });

it("in other iterations a comment follows its line, or is outdated there and leads to its own iteration", async () => {
  const first = buildIteration(141, 1, { content: numbered() });
  serveFlowRequest({
    contents: [numbered(), `new\nnew\n${numbered({ 30: "other" })}`],
    comments: [
      buildComment(1, "About five.", { anchor: lineAnchor(first, 5) }),
      buildComment(2, "About thirty.", { anchor: lineAnchor(first, 30) }),
    ],
  });
  await openScreen(textAddress);
  await expect.element(thread(7).getByRole("article")).toHaveTextContent("About five.");
  await expectTexts(comments(), [/Line 7, from line 5 of iteration 1About five/, /Line 30 of iteration 1OutdatedAbout thirty/]);
  await expectCount(page.getByRole("region", { name: /^Comments on line/ }), 1);
  await comments().getByRole("link", { name: "Line 30 of iteration 1" }).click();
  await expectAddress(`${requestAddress}?iteration=1&line=30`);
  await expect.element(thread(30).getByRole("article")).toHaveTextContent("About thirty.");
  await expectTexts(comments(), [/Line 5 of iteration 1About five/, /Line 30 of iteration 1About thirty/]);

  // In differences, comments are at the lines of the new side.
  await openScreen(`${requestAddress}?mode=diff&iteration=2`);
  await expect.element(thread(7).getByRole("article")).toHaveTextContent("About five.");
});

it("a reply is about the line where it is written", async () => {
  const first = buildIteration(141, 1, { content: numbered() });
  serveFlowRequest({ contents: [numbered(), `new\n${numbered()}`], comments: [buildComment(1, "Why?", { anchor: lineAnchor(first, 5) })] });
  await openScreen(textAddress);
  await thread(6).getByRole("button", { name: "Reply" }).click();
  await thread(6).getByRole("textbox").fill("Because.");
  await press("Control+Enter");
  await expectTexts(thread(6).getByRole("article"), [/Why\?/, /Because\./]);
  expect(gateway.received(flows.comment).at(-1)?.body.anchor).toEqual({ kind: "line", iterationId: 142, line: 6 });
  await focus(thread(6).getByRole("button", { name: "Reply" }));
});

it("authors edit and delete their own comments; a failure keeps what was typed", async () => {
  serveFlowRequest({ comments: [buildComment(1, "Hers."), buildComment(2, "Mine.", { commenterUsername: "ada" })] });
  await openScreen(textAddress);
  await expectCount(comments().first().getByRole("button"), 0);
  const mine = comments().last();
  await mine.getByRole("button", { name: "Edit comment" }).click();
  const field = mine.getByRole("textbox", { name: "Edit comment" });
  await expect.element(field).toHaveFocus();
  await field.fill("Changed.");
  await press("Escape");
  await expect.element(mine).toHaveTextContent("Mine.");

  gateway.refuse(flows.editComment, "internal", "The database is away.", { times: 1 });
  await mine.getByRole("button", { name: "Edit comment" }).click();
  await field.fill("Changed.");
  await mine.getByRole("button", { name: "Save" }).click();
  await expect.element(alert("Failed to Edit Comment")).toHaveTextContent("The database is away.");
  await expect.element(field).toHaveValue("Changed.");
  await mine.getByRole("button", { name: "Save" }).click();
  await expect.element(mine).toHaveTextContent("editedChanged.");

  await mine.getByRole("button", { name: "Delete comment" }).click();
  const question = page.getByRole("dialog", { name: "Delete this comment?" });
  await expect.element(question).toBeVisible();
  expect(gateway.received(flows.deleteComment)).toEqual([]);
  gateway.refuse(flows.deleteComment, "internal", "The database is away.", { times: 1 });
  await question.getByRole("button", { name: "Delete" }).click();
  await expect.element(alert("Failed to Delete Comment")).toBeVisible();
  await expect.element(mine).toHaveTextContent("Changed.");
  await mine.getByRole("button", { name: "Delete comment" }).click();
  await question.getByRole("button", { name: "Delete" }).click();
  await expect.element(mine).toHaveTextContent("Comment deleted");
  await expectCount(mine.getByRole("button"), 0);
});

it("members can be mentioned after an @, by keyboard and by pointer", async () => {
  serveFlowRequest();
  await openScreen(textAddress);
  await type("Ask @gr", box());
  const list = page.getByRole("listbox", { name: "Members" });
  await expectTexts(list.getByRole("option"), ["graceGrace Hopper", "grahamGraham Bell"]);
  await expect.element(list.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  const active = () => document.getElementById(box().element().getAttribute("aria-activedescendant") ?? "")?.textContent;
  expect(active()).toBe("graceGrace Hopper");
  await expectAccessible();
  await press("ArrowDown");
  expect(active()).toBe("grahamGraham Bell");
  await press("Enter");
  await expect.element(box()).toHaveValue("Ask @graham ");
  await expectCount(list, 0);
  await type("and @");
  await expectCount(list.getByRole("option"), 3);
  await press("Escape");
  await expectCount(list, 0);
  await expect.element(box()).toHaveValue("Ask @graham and @");
  await type("ada");
  await list.getByRole("option", { name: "ada" }).click();
  await expect.element(box()).toHaveValue("Ask @graham and @ada ");
  await expect.element(box()).toHaveFocus();
  await type("now");
  await add().click();
  await expect.poll(() => gateway.received(flows.comment).map(({ body }) => body.text)).toEqual(["Ask @graham and @ada now"]);
});
