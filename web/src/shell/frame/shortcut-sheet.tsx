import { Button, Kbd } from "@mantine/core";
import { useId } from "react";
import { startTour } from "#lib/screens/tour.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { closeOverlay } from "./overlays.ts";
import classes from "./frame.module.css";
import { shortcutGroups } from "./shortcuts.ts";

/** The keyboard shortcuts of all screens. */
export default function ShortcutSheet({ opened }: { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={closeOverlay} title="Keyboard shortcuts" size={760} zIndex={320}>
      <div className={classes["groups"]}>
        {shortcutGroups().map(({ title, shortcuts }) => (
          <ShortcutGroup key={title} title={title} shortcuts={shortcuts} />
        ))}
      </div>
      <Button
        variant="default"
        onClick={() => {
          closeOverlay();
          startTour();
        }}
      >
        Take the tour
      </Button>
    </Dialog>
  );
}

function ShortcutGroup({ title, shortcuts }: { title: string; shortcuts: ReturnType<typeof shortcutGroups>[number]["shortcuts"] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <dl className={classes["list"]}>
        {shortcuts.map(({ keys, what }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key, index) =>
                // oxlint-disable-next-line react/no-array-index-key -- a key may stand there twice
                key === "or" ? <span key={index}>or</span> : <Kbd key={index}>{key}</Kbd>,
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
