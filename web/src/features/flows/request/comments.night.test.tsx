import { flows } from "@fairway/contract/flows";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { buildComment, lineAnchor, requestAddress, serveFlowRequest, textAddress } from "#testing/flow-request.ts";
import { buildIteration } from "#testing/flows.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { numbered } from "#testing/comments.ts";

const panel = () => page.getByRole("region", { name: "Comments", exact: true });
const timeline = () => panel().getByRole("list", { name: "Timeline" });
const comments = () => timeline().getByRole("article");
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
