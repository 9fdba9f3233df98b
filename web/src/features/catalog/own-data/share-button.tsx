import type { OwnDataset } from "@fairway/contract/own-datasets";
import { Button } from "@mantine/core";
import { useState } from "react";
import { ShareOwnDialog } from "#parts/own-datasets/share-own-dialog.tsx";

/** Shares an own dataset. */
export function ShareButton({ own }: { own: OwnDataset }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Share
      </Button>
      <ShareOwnDialog own={own} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
