import { useWindowEvent } from "@mantine/hooks";
import type { RefObject } from "react";
import { pressed } from "#ui/shortcut-keys.ts";
import type { ImportRowsHandle } from "./import-rows.tsx";

interface Parts {
  panel: RefObject<HTMLElement | null>;
  rows: RefObject<ImportRowsHandle | null>;
  /** Nothing is left in the rows: shows all of them. */
  onNoUnread: () => void;
  onCreate: () => void;
}

/** The keys of the screen: between panel and rows, to what is open, and Create. */
export function useImportKeys({ panel, rows, onNoUnread, onCreate }: Parts): void {
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("[aria-modal='true']")) return;
    const isTyping =
      event.target instanceof Element && event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select") !== null;
    if (pressed(event, "adding.create")) onCreate();
    else if (pressed(event, "adding.switch")) {
      if (panel.current?.contains(document.activeElement)) rows.current?.focus();
      else focusFirst(panel.current);
    } else if (isTyping) return;
    else if (pressed(event, "adding.question")) focusQuestion(panel.current);
    else if (pressed(event, "adding.unread")) {
      if (rows.current?.nextUnread() !== true) onNoUnread();
    } else return;
    event.preventDefault();
  });
}

function focusFirst(panel: HTMLElement | null): void {
  (panel?.querySelector<HTMLElement>("[data-question] input:checked, [data-question] input, button") ?? panel)?.focus();
}

/** The next open question behind the one that has the focus. */
function focusQuestion(panel: HTMLElement | null): void {
  const questions = [...(panel?.querySelectorAll<HTMLElement>("[data-question]") ?? [])];
  const current = questions.findIndex((question) => question.contains(document.activeElement));
  const next = questions[(current + 1) % questions.length];
  next?.scrollIntoView({ block: "nearest" });
  next?.querySelector<HTMLElement>("input:checked, input")?.focus();
}
