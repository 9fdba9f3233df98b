import { Kbd } from "@mantine/core";
import { Dialog } from "#ui/dialog.tsx";
import { closeOverlay } from "./overlays.ts";
import classes from "./shortcut-sheet.module.css";
import { shortcuts } from "./shortcuts.ts";

/** The keyboard shortcuts of every screen. */
export default function ShortcutSheet({ opened }: { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={closeOverlay} title="Keyboard shortcuts" zIndex={320}>
      <dl className={classes["list"]}>
        {shortcuts.map(({ keys, what }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
