import { Button } from "@mantine/core";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { useEffect } from "react";
import { storeDrafts } from "#lib/browser/drafts.ts";
import { forgetUnsavedForms, useUnsavedForms } from "#lib/browser/unsaved-changes.ts";
import { announce } from "#ui/announcer.tsx";
import { confirmDiscard } from "#ui/dialog/unsaved-changes.tsx";
import classes from "../frame/frame.module.css";

const text = "A new version is available. Reload the page to use it.";

interface Props {
  /** Called before the page reloads. */
  onReload: () => void;
  onLater: () => void;
}

/** Offers a new version. Open searches and drafts survive the reload; other unsaved changes are asked about. */
export default function NewVersionBar({ onReload, onLater }: Props) {
  useEffect(() => announce(text), []);
  const reload = async (): Promise<void> => {
    const lost = useUnsavedForms.getState().forms.filter(({ isKept }) => !isKept);
    if (lost.length > 0 && !(await confirmDiscard(lost))) return;
    storeDrafts();
    forgetUnsavedForms();
    onReload();
    location.reload();
  };
  return (
    <section aria-label="New version" className={classes["bar"]}>
      <IconRefresh size={16} aria-hidden />
      <p>{text}</p>
      <Button variant="default" size="xs" onClick={() => void reload()}>
        Reload
      </Button>
      <Button variant="subtle" color="gray" size="xs" onClick={onLater}>
        Later
      </Button>
    </section>
  );
}
