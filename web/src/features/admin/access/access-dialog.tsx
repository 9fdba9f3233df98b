import { useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { isDatasetDraft } from "#parts/dataset-form/dataset-draft.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { ErrorState } from "#ui/states.tsx";
import { fetchEntity } from "../entities/entity-calls.ts";
import { entityKindOf } from "../entities/entity-kind-of.ts";
import { AccessForm } from "./access-form.tsx";
import { type AccessTab, isAccessTab } from "./access-tabs.ts";
import classes from "./access.module.css";

const kind = entityKindOf("datasets/internal");

/** Who sees a dataset, and which of its rows and columns. The address holds the dataset and the tab. */
export default function AccessDialog({ id, opened }: { id: string; opened: boolean }) {
  const navigate = useNavigate();
  const { tab }: Record<string, unknown> = useSearch({ strict: false });
  const onClose = () => void navigate({ to: "/internal-dataset-settings", replace: true });
  return (
    <Dialog opened={opened} onClose={onClose} title={`Access to ${id}`} size={1120} fillsPhone closeOnClickOutside={false}>
      <LoadedForm
        id={id}
        tab={isAccessTab(tab) ? tab : "readers"}
        onTab={(chosen) => void navigate({ to: "/internal-dataset-settings", search: { access: id, tab: chosen }, replace: true })}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface Props {
  id: string;
  tab: AccessTab;
  onTab: (tab: AccessTab) => void;
  onClose: () => void;
}

/** The stored version, as another administrator may have saved it since the list was loaded. */
function LoadedForm({ id, ...form }: Props) {
  // Each opening fetches again.
  const openingId = useId();
  const query = useQuery({
    queryKey: ["admin", kind.type, "current", id, openingId],
    queryFn: ({ signal }) => fetchEntity(kind, id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <div className={classes["frame"]}>
      <QueryState
        query={query}
        loading={{ label: "Loading the dataset", rows: 8 }}
        failed="The dataset could not be loaded."
        canRetry={canSucceedLater}
      >
        {(entity) =>
          isDatasetDraft(entity) ? (
            <AccessForm kind={kind} entity={entity} {...form} />
          ) : (
            <ErrorState message="This dataset has fields of another kind than the form edits." details={["Use Edit instead."]} />
          )
        }
      </QueryState>
    </div>
  );
}
