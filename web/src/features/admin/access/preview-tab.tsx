import { pluralize } from "@fairway/contract/counts";
import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { type AccessPreview, datasetAccessAdministration, type ReaderToShow } from "@fairway/contract/dataset-access-administration";
import { SegmentedControl, Flex, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { MultiSelect, Select } from "#ui/select.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { SampleRows } from "../datasets/sample-rows.tsx";
import { entitiesQuery } from "../entities/entity-calls.ts";
import { useAccessForm } from "./access-context.ts";
import classes from "./access.module.css";

/** Whose view is shown, as it is chosen. */
export interface ChosenReader {
  readonly kind: "person" | "roles";
  readonly userId: string | null;
  readonly roles: string[];
  readonly groups: string[];
}
export const noReader: ChosenReader = { kind: "person", userId: null, roles: [], groups: [] };

interface Props {
  reader: ChosenReader;
  onReader: (reader: ChosenReader) => void;
  /** The rules as they are edited. */
  access: DatasetAccess | null;
  /** They cannot be applied yet. */
  hasProblems: boolean;
  /** The roles of the dataset are changed and not saved. */
  hasOtherRoles: boolean;
}

/** The dataset as a person, or a holder of roles and a member of groups, sees it. */
export function PreviewTab({ reader: chosen, onReader, access, hasProblems, hasOtherRoles }: Props) {
  const { dataset, roles: allRoles = [] } = useAccessForm();
  const { kind, userId, roles, groups } = chosen;
  const change = (changed: Partial<ChosenReader>) => onReader({ ...chosen, ...changed });
  const users = useQuery(entitiesQuery({ type: "users" }));
  const allGroups = useQuery(entitiesQuery({ type: "groups" }));
  const reader: ReaderToShow | null = kind === "roles" ? { roles, groups } : userId === null ? null : { userId };
  const query = useQuery({
    queryKey: ["admin", "datasets/internal", "access-preview", dataset.id, access, reader],
    queryFn: ({ signal }) =>
      call(datasetAccessAdministration.preview, { params: { id: dataset.id }, body: { access, as: reader ?? { roles: [] } } }, { signal }),
    enabled: reader !== null && !hasProblems,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="See it as"
        className={classes["kinds"] ?? ""}
        value={kind}
        onChange={(value) => change({ kind: value === "roles" ? "roles" : "person" })}
        data={[
          { value: "person", label: "A person" },
          { value: "roles", label: "Roles and groups" },
        ]}
      />
      {kind === "person" ? (
        <Select
          label="Person"
          maw="var(--form-max)"
          searchable
          selectFirstOptionOnChange
          limit={100}
          value={userId}
          onChange={(id) => change({ userId: id })}
          data={(users.data ?? []).map(({ id, username }) => ({ value: String(id), label: String(username) }))}
          placeholder="Choose a person"
          nothingFoundMessage="No person with this name"
        />
      ) : (
        <Flex gap="md" wrap="wrap">
          <MultiSelect
            label="Roles"
            flex="1 1 240px"
            searchable
            selectFirstOptionOnChange
            data={[...allRoles]}
            value={roles}
            onChange={(names) => change({ roles: names })}
            placeholder={roles.length === 0 ? "None" : ""}
            nothingFoundMessage="No role with this name"
            hidePickedOptions
          />
          <MultiSelect
            label="Groups"
            flex="1 1 240px"
            searchable
            selectFirstOptionOnChange
            data={(allGroups.data ?? []).map(({ name }) => String(name))}
            value={groups}
            onChange={(names) => change({ groups: names })}
            placeholder={groups.length === 0 ? "None" : ""}
            nothingFoundMessage="No group with this name"
            hidePickedOptions
          />
        </Flex>
      )}
      <p className={classes["about"]}>
        Files of this dataset's filesets are not covered.
        {hasOtherRoles && " Who may know of the dataset is shown as it is saved, without the changed roles."}
      </p>
      {hasProblems ? (
        <p role="status">Some fields in Rows or Columns need a change before this can be shown.</p>
      ) : (
        reader !== null && (
          <QueryState
            query={query}
            loading={{ label: "Loading what this reader sees", rows: 8 }}
            failed="What this reader sees could not be loaded."
          >
            {(preview) => <Seen preview={preview} />}
          </QueryState>
        )
      )}
    </Stack>
  );
}

function Seen({ preview: { reads, rows, count, columns, missing, sample } }: { preview: AccessPreview }) {
  const { dataset } = useAccessForm();
  if (!reads) return <p role="status">This reader may not know of the dataset.</p>;
  const withheld = columns.filter(({ shown }) => shown === "withheld").map(({ name }) => name);
  const coarse = columns.filter(({ shown }) => shown === "coarse").map(({ name }) => name);
  const granted = columns.flatMap(({ name, by }) => (by.length === 0 ? [] : [`${name} (${by.join(", ")})`]));
  const shownColumns = dataset.schema.columns.filter(({ name }) => !withheld.includes(name));
  const part = rows === "all" ? "all of them" : rows === "none" ? "none of them" : "a part of them";
  return (
    <>
      <div role="group" aria-label="What this reader sees">
        <dl className={classes["seen"]}>
          <Line name="Rows">{`${count === null ? "not counted" : pluralize(count, "row")}, ${part}`}</Line>
          {withheld.length > 0 && <Line name="Withheld columns">{withheld.join(", ")}</Line>}
          {coarse.length > 0 && <Line name="Coarse columns">{coarse.join(", ")}</Line>}
          {granted.length > 0 && <Line name="As stored by a role">{granted.join(", ")}</Line>}
          {missing.length > 0 && <Line name="Missing">{missing.join(", ")}</Line>}
        </dl>
      </div>
      {sample.length > 0 && shownColumns.length > 0 && <SampleRows columns={shownColumns} rows={sample} limit={25} />}
    </>
  );
}

function Line({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
