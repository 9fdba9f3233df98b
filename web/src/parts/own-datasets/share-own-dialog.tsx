import { type OwnDataset, ownDatasets } from "@fairway/contract/own-datasets";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { ShareDialog } from "#parts/sharing/share-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { ownDataQuery, refreshDatasets } from "./queries.ts";

interface Props {
  own: OwnDataset;
  opened: boolean;
  onClose: () => void;
}

/** Shares an own dataset. */
export function ShareOwnDialog({ own: { id, title, datasetId, shares }, opened, onClose }: Props) {
  const { data } = useQuery(ownDataQuery);
  return (
    <ShareDialog
      opened={opened}
      name={title || datasetId}
      shares={shares}
      mayShareWithEveryone={data?.mayShareWithEveryone ?? false}
      onSave={async (drafts) => {
        await call(ownDatasets.share, { params: { id }, body: { shares: drafts } });
        toastSuccess("Shares saved", 1200);
        await refreshDatasets();
      }}
      onClose={onClose}
    />
  );
}
