import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { useQuery } from "@tanstack/react-query";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { EmptyState, LoadingRows } from "#ui/states.tsx";
import { isAccessible, lostAccess } from "./access.ts";
import { groupsQuery } from "./queries.ts";
import { GroupResults } from "./group-results.tsx";
import { GroupSearchForm } from "./group-search-form.tsx";

interface Props {
  /** The name of the selected group, and its searches once started. */
  selected: string | null;
  searchIds: readonly string[];
  onStarted: (searchIds: readonly string[]) => void;
  onBack: () => void;
}

/** The pane beside the list of groups: the form of the selected group, or its results. */
export function DatasetGroupPane({ selected, searchIds, onStarted, onBack }: Props) {
  const { data: groups } = useQuery(groupsQuery);
  const { data: list } = useQuery(datasetsQuery);
  if (selected === null) return <EmptyState>Choose a dataset group to search, or create a new one.</EmptyState>;
  if (searchIds.length > 0) return <GroupResults name={selected} searchIds={searchIds} onBack={onBack} />;
  // The list shows loading and failure states itself.
  if (!groups || !list) return <LoadingRows label="Loading the group" />;
  const group = groups.find(({ name }) => name === selected);
  if (!group) return <EmptyState>{`You have no dataset group named ${selected}.`}</EmptyState>;
  if (!isAccessible(group, list)) {
    return (
      <EmptyState title={group.name} icon={<IconAlertTriangle size={24} stroke={1.5} aria-hidden />}>
        {lostAccess}
      </EmptyState>
    );
  }
  return <GroupSearchForm key={group.id} group={group} onStarted={onStarted} />;
}
