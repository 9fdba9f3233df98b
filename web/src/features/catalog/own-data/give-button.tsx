import { type OwnDataset, ownDatasets } from "@fairway/contract/own-datasets";
import { Button } from "@mantine/core";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";
import { GiveDialog } from "#parts/sharing/islands.ts";

/** Gives an own dataset to somebody who can edit it. */
export function GiveButton({ own: { id, title, datasetId, shares, bytes } }: { own: OwnDataset }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Give away
      </Button>
      <GiveDialog
        opened={isOpen}
        name={title || datasetId}
        shares={shares}
        before={(recipient) => `Its ${sizeText(bytes)} take room of ${recipient}, and none of yours.`}
        after="Its address stays the same, so that searches, boards and links of it go on."
        onGive={async (userId) => {
          await call(ownDatasets.transfer, { params: { id }, body: { userId } });
          await refreshDatasets();
        }}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
