import { type OwnDataset, ownDatasets } from "@fairway/contract/own-datasets";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { ownDataQuery, refreshDatasets } from "#parts/own-datasets/queries.ts";
import { ShareDialog } from "#parts/sharing/share-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";

/** Shares an own dataset. */
export function ShareButton({ own: { id, title, datasetId, shares } }: { own: OwnDataset }) {
  const { data } = useQuery(ownDataQuery);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Share
      </Button>
      <ShareDialog
        opened={isOpen}
        name={title || datasetId}
        shares={shares}
        mayShareWithEveryone={data?.mayShareWithEveryone ?? false}
        onSave={async (drafts) => {
          await call(ownDatasets.share, { params: { id }, body: { shares: drafts } });
          toastSuccess("Shares saved", 1200);
          await refreshDatasets();
        }}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
