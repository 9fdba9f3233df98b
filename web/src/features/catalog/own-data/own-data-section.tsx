import { pluralize } from "@fairway/contract/counts";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { type OwnDataset, ownDatasets } from "@fairway/contract/own-datasets";
import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { useDataDoor } from "#parts/add-data/data-door.ts";
import { FileChooser } from "#parts/add-data/file-chooser.tsx";
import { useStartImport } from "#parts/add-data/start-import.ts";
import { ownDataQuery, refreshDatasets, useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { roomText } from "#parts/own-datasets/room-text.ts";
import { ShareDialog } from "#parts/sharing/share-dialog.tsx";
import { confirm } from "#ui/dialog/confirm.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { deleteOwnDataset } from "./delete-own-dataset.ts";
import { Versions } from "./versions.tsx";
import classes from "./own-data.module.css";

/** Rows, versions and shares of a dataset that a user has brought. Nothing for other datasets. */
export function OwnDataSection({ dataset }: { dataset: DatasetRef }) {
  const own = useOwnDatasets().get(datasetKey(dataset));
  return own === undefined ? null : <OwnData own={own} />;
}

function OwnData({ own }: { own: OwnDataset }) {
  const { can, rows, bytes, shares, owner } = own;
  const { data } = useQuery(ownDataQuery);
  const mayEdit = can !== "view";
  return (
    <section className={classes["section"]} aria-labelledby="own-data">
      <div className={classes["head"]}>
        <h2 id="own-data">{can === "own" ? "Your data" : "Shared with you"}</h2>
        <p>
          {[
            pluralize(rows, "row"),
            sizeText(bytes),
            can === "own"
              ? shares.length === 0
                ? "only you see it"
                : `shared with ${shares.map(({ to }) => to.name).join(", ")}`
              : `of ${owner?.username ?? "a deleted account"}`,
            ...(can === "own" && data ? [`you keep ${roomText(data.room)}`] : []),
          ].join(" · ")}
        </p>
        <OwnActions own={own} mayShareWithEveryone={data?.mayShareWithEveryone ?? false} />
      </div>
      {mayEdit && <Versions id={own.id} />}
    </section>
  );
}

function OwnActions({ own, mayShareWithEveryone }: { own: OwnDataset; mayShareWithEveryone: boolean }) {
  const { id, can, datasetCategory, datasetId, shares } = own;
  const navigate = useNavigate();
  const door = useDataDoor();
  const { ofFiles } = useStartImport();
  const [isSharing, setSharing] = useState(false);
  const name = own.title || datasetId;
  const into = (mode: "append" | "replace") => ({ into: { datasetCategory, datasetId, mode } });
  const toCatalog = () => void navigate({ to: "/data-catalog" });
  const leave = async () => {
    const isConfirmed = await confirm({
      title: `Remove ${name} from your datasets?`,
      text: "Only its owner can share it with you again.",
      confirmLabel: "Remove",
      destructive: true,
    });
    if (!isConfirmed) return;
    try {
      await call(ownDatasets.leave, { params: { id } });
      toCatalog();
      await refreshDatasets();
    } catch (error) {
      toastError("Remove Failed", messagesOf(error).join(" "));
    }
  };
  return (
    <Group gap="xs">
      {can !== "view" && door.kind === "open" && (
        <>
          <FileChooser label="Append" onFiles={(files) => ofFiles(files, into("append"))} />
          <FileChooser label="Replace" onFiles={(files) => ofFiles(files, into("replace"))} />
        </>
      )}
      {can === "own" && (
        <>
          <Button variant="default" aria-haspopup="dialog" onClick={() => setSharing(true)}>
            Share
          </Button>
          <Button variant="default" onClick={() => void deleteOwnDataset(own, toCatalog)}>
            Delete
          </Button>
        </>
      )}
      {can !== "own" && (
        <Button variant="default" onClick={() => void leave()}>
          Remove from my datasets
        </Button>
      )}
      <ShareDialog
        opened={isSharing}
        name={name}
        shares={shares}
        mayShareWithEveryone={mayShareWithEveryone}
        onSave={async (drafts) => {
          await call(ownDatasets.share, { params: { id }, body: { shares: drafts } });
          toastSuccess("Shares saved", 1200);
          await refreshDatasets();
        }}
        onClose={() => setSharing(false)}
      />
    </Group>
  );
}
