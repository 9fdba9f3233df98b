import type { Notice } from "@fairway/contract/notices";
import { Button } from "@mantine/core";
import { IconSpeakerphone } from "#ui/icons/speakerphone.ts";
import { useEffect } from "react";
import { announce } from "#ui/announcer.tsx";
import classes from "../frame/frame.module.css";

/** Offers notices that came while the page was open. */
export default function NewNoticesBar({ notices, onRead }: { notices: readonly Notice[]; onRead: () => void }) {
  const [first] = notices;
  const text = notices.length === 1 && first ? `New notice: ${first.title}` : `There are ${notices.length} new notices.`;
  useEffect(() => announce(text), [text]);
  return (
    <section aria-label="New notices" className={classes["bar"]}>
      <IconSpeakerphone size={16} aria-hidden />
      <p>{text}</p>
      <Button variant="default" size="xs" onClick={onRead}>
        {notices.length === 1 ? "Read" : "Read them"}
      </Button>
    </section>
  );
}
