import { useState } from "react";
import type { z } from "zod";
import { draftOf } from "#lib/browser/drafts.ts";
import classes from "./ui.module.css";

/** The text that was typed in a form before the page was reloaded, to start from; undefined if there is none. */
export function useKeptDraft<T>(name: string, schema: z.ZodType<T>): T | undefined {
  const [kept] = useState(() => draftOf(name, schema));
  return kept;
}

/** Says that a form starts with what was typed before. */
export function RestoredNote({ when }: { when: boolean }) {
  return when && <p className={classes["note"]}>Restored what you typed before the page was reloaded.</p>;
}
