import { docs } from "@fairway/contract/docs";
import { externalPages } from "@fairway/contract/external-pages";
import { filesets } from "@fairway/contract/filesets";
import { settings } from "@fairway/contract/settings";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { buildVideo, wiki } from "#testing/docs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { button, failure, type ScreenState, text, title } from "#testing/screen-state.ts";

const questions = JSON.stringify([
  { question: "How do I search?", answer: "Choose a **dataset** first." },
  { question: "What is a board?", answer: ["Searches on one page.", "Others see it, too."] },
]);
const serveQuestions = () => gateway.answer(filesets.download, questions);
export const states: readonly ScreenState[] = [
  { name: "faq", answers: serveQuestions, open: "/FAQ", shows: () => button("How do I search?"), phone: true },
  {
    name: "faq-answer",
    answers: serveQuestions,
    open: "/FAQ",
    steps: [() => button("What is a board?").click()],
    shows: text("Others see it, too."),
  },
  {
    name: "faq-no-match",
    answers: serveQuestions,
    open: "/FAQ",
    steps: [() => page.getByPlaceholder("filter questions", { exact: true }).fill("nothing like it")],
    shows: text("no matching questions found"),
  },
  { name: "faq-failed", answers: () => gateway.answer(filesets.download, "{"), open: "/FAQ", shows: failure },
  {
    name: "tutorials",
    answers: () => gateway.answer(docs.list, [buildVideo("first", "First steps"), buildVideo("second", "Second steps")]),
    open: "/tutorials",
    shows: () => page.getByRole("list", { name: "Tutorial videos" }),
    phone: true,
  },
  { name: "tutorials-none", open: "/tutorials", shows: title("Tutorial Videos") },
  {
    name: "external-page-refused",
    answers: () => {
      gateway.answer(settings.portal, { ...defaultPortalSettings, externalPages: [wiki] });
      gateway.refuse(externalPages.page, "not-found", "There is no such page.");
    },
    open: "/external/wiki",
    shows: () => page.getByRole("main"),
  },
];
