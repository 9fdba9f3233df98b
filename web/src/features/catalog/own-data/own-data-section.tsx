import { pluralize } from "@fairway/contract/counts";
import { type OwnDataset, ownDatasets } from "@fairway/contract/own-datasets";
import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { useDataDoor } from "#parts/add-data/data-door.ts";
import { FileChooser } from "#parts/add-data/file-chooser.tsx";
import { useStartImport } from "#parts/add-data/start-import.ts";
import { ownDataQuery, refreshDatasets } from "#parts/own-datasets/queries.ts";
import { roomText } from "#parts/own-datasets/room-text.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { toastError } from "#ui/toast/toast.ts";
import { deleteOwnDataset } from "./delete-own-dataset.ts";
import { editableQuery } from "./own-data-queries.ts";
import { GiveButton } from "./give-button.tsx";
import { RenameButton } from "./rename-button.tsx";
import { ShareButton } from "./share-button.tsx";
import { Versions } from "./versions.tsx";
import classes from "./own-data.module.css";

/** Rows, versions and shares of a dataset that a user has brought. */
export default function OwnDataSection({ own }: { own: OwnDataset }) {
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
        <OwnActions own={own} />
      </div>
      {mayEdit && <LeftOut id={own.id} />}
      {mayEdit && <Versions id={own.id} />}
    </section>
  );
}

/** Columns that the settings have and readers do not see. */
function LeftOut({ id }: { id: string }) {
  const { data } = useQuery(editableQuery(id));
  const warnings = data?.warnings ?? [];
  if (warnings.length === 0) return null;
  return (
    <ul className={classes["leftOut"]} aria-label="Columns that are left out">
      {warnings.map(({ path, message }) => (
        <li key={`${path} ${message}`}>{message}</li>
      ))}
    </ul>
  );
}

function OwnActions({ own }: { own: OwnDataset }) {
  const { id, can, datasetCategory, datasetId } = own;
  const navigate = useNavigate();
  const door = useDataDoor();
  const { ofFiles } = useStartImport();
  const name = own.title || datasetId;
  const into = (mode: "append" | "replace") => ({ into: { datasetCategory, datasetId, mode } });
  const toCatalog = () => navigate({ to: "/data-catalog" });
  const leave = async () => {
    const isConfirmed = await confirm({
      title: `Remove ${name} from your datasets?`,
      text: "Only its owner can share it with you again.",
      confirmLabel: "Remove",
      destructive: true,
    });
    if (!isConfirmed) return;
    try {
      await toCatalog();
      await call(ownDatasets.leave, { params: { id } });
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
      {can !== "view" && (
        <>
          <Button variant="default" renderRoot={(props) => <Link to="." search={{ form: "settings" }} {...props} />}>
            Settings
          </Button>
          <RenameButton own={own} />
        </>
      )}
      {can === "own" && (
        <>
          <ShareButton own={own} />
          <GiveButton own={own} />
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
    </Group>
  );
}
