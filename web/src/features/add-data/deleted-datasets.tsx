import { type OwnDataset, ownDatasets } from "@fairway/contract/own-datasets";
import { Button } from "@mantine/core";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "./add-data.module.css";

/** Deleted datasets that can be restored, or deleted for good to make room. */
export function DeletedDatasets({ datasets }: { datasets: readonly OwnDataset[] }) {
  const deleted = datasets.flatMap((one) => (one.goneMs === null || one.can !== "own" ? [] : [{ ...one, goneMs: one.goneMs }]));
  if (deleted.length === 0) return null;
  return (
    <section aria-label="Deleted" className={classes["unfinished"]}>
      <h2>Deleted</h2>
      <p>They can be restored for 7 days, and count towards your room until then.</p>
      <ul>
        {deleted.map((dataset) => {
          const name = dataset.title || dataset.datasetId;
          return (
            <li key={dataset.id}>
              <span>
                {name} <small>{`until ${localTime(dataset.goneMs)}`}</small>
              </span>
              <span>
                <Button variant="subtle" aria-label={`Restore ${name}`} onClick={() => void restore(dataset, name)}>
                  Restore
                </Button>
                <Button variant="subtle" color="red" aria-label={`Delete ${name} now`} onClick={() => void deleteNow(dataset, name)}>
                  Delete now
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

async function restore({ id }: OwnDataset, name: string): Promise<void> {
  try {
    await call(ownDatasets.restore, { params: { id } });
    toastSuccess(`${name} restored`);
    await refreshDatasets();
  } catch (error) {
    toastError("Restore Failed", messagesOf(error).join(" "));
  }
}

async function deleteNow({ id }: OwnDataset, name: string): Promise<void> {
  const isConfirmed = await confirm({
    title: `Delete ${name} now?`,
    text: "Its rows, files and versions are deleted. This can't be undone.",
    confirmLabel: "Delete now",
    destructive: true,
  });
  if (!isConfirmed) return;
  try {
    await call(ownDatasets.remove, { params: { id }, query: { now: "true" } });
    toastSuccess(`${name} deleted`, 1200);
    await refreshDatasets();
  } catch (error) {
    toastError("Delete Failed", messagesOf(error).join(" "));
  }
}
