import type { Entity } from "@fairway/contract/entities";
import { datasetAccess } from "@fairway/contract/dataset-access";
import { datasetAccessAdministration } from "@fairway/contract/dataset-access-administration";
import { Button, Flex } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useId, useMemo, useRef, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { ConflictView } from "#parts/conflict/conflict-view.tsx";
import { type DatasetDraft, problemsOf } from "#parts/dataset-form/dataset-draft.ts";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { pressed } from "#ui/shortcut-keys.ts";
import { TabList } from "#ui/tab-list.tsx";
import { sendDraft } from "../editor/editor-save.ts";
import { SaveFailure } from "../editor/save-failure.tsx";
import { toastSaved } from "../editor/save-toasts.ts";
import { entitiesQuery } from "../entities/entity-calls.ts";
import type { EntityDraft } from "../entities/entity.ts";
import type { EntityKind } from "../entities/entity-kind.ts";
import { EntityWarnings } from "../entities/entity-warnings.tsx";
import editor from "../editor/editor.module.css";
import { type AccessFormState, AccessFormContext } from "./access-context.ts";
import { accessOf, draftOfAccess } from "./access-draft.ts";
import { accessTabs, type AccessTab } from "./access-tabs.ts";
import { placeText } from "./access-text.ts";
import { ColumnsTab } from "./columns-tab.tsx";
import { noReader, PreviewTab } from "./preview-tab.tsx";
import { ReadersTab } from "./readers-tab.tsx";
import { RowsTab } from "./rows-tab.tsx";
import classes from "./access.module.css";

export type LoadedDataset = Entity & DatasetDraft;

interface Props {
  kind: EntityKind;
  entity: LoadedDataset;
  tab: AccessTab;
  onTab: (tab: AccessTab) => void;
  onClose: () => void;
}

interface Problem {
  path: string;
  message: string;
}

const checkDelayMs = 400;

function draftOf(entity: Entity): EntityDraft {
  const { version: _, warnings: _warnings, ...fields } = entity;
  return fields;
}

/** The form of a dataset's readers and rules. */
export function AccessForm({ kind, entity, tab, onTab, onClose }: Props) {
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [base, setBase] = useState(entity);
  const [initial, setInitial] = useState(() => draftOfAccess(entity.roles, entity.access));
  const [draft, setDraft] = useState(initial);
  const [conflict, setConflict] = useState<{ theirs: Entity; mine: EntityDraft } | null>(null);
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const [refusals, setRefusals] = useState<readonly Problem[]>([]);
  const [isSaving, setSaving] = useState(false);
  // Of the tab "See it as", whose choice stays while rules are changed.
  const [reader, setReader] = useState(noReader);
  const { columns } = base.schema;
  const storedColumns = useMemo(() => columns.filter((one) => one.combined === null && one.computed === undefined), [columns]);
  const written = useMemo(() => accessOf(draft, storedColumns), [draft, storedColumns]);
  const { access } = written;
  const stored = useMemo(() => accessOf(initial, storedColumns), [initial, storedColumns]);
  const isDirty = !sameContent([draft.roles, written], [initial.roles, stored]);
  useUnsavedChanges(isDirty, { dialogInQuery: "access" });
  const problems = useMemo(() => {
    const whole = problemsOf({ ...base, roles: draft.roles, access });
    return [
      ...written.problems,
      ...whole.flatMap(({ path, message }) => (path[0] === "access" || path[0] === "roles" ? [{ path: path.join("."), message }] : [])),
    ];
  }, [base, draft.roles, access, written.problems]);
  // Fields that are not filled yet say so once a save was tried, those of stored rules that cannot be applied at once.
  const [showsProblems, setShowsProblems] = useState(problems.length > 0);
  const shown = showsProblems ? [...problems, ...refusals] : refusals;
  const roles = useQuery(entitiesQuery({ type: "roles" }));
  const check = useCheck(base.id, access, problems.length === 0);

  const state: AccessFormState = {
    dataset: base,
    storedColumns,
    draft,
    update: (change) => {
      setRefusals([]);
      setDraft((now) => ({ ...now, ...change(now) }));
    },
    problemAt: (path) => problemText(shown.find((one) => one.path === path)),
    problemUnder: (path) => problemText(shown.find((one) => one.path === path || one.path.startsWith(`${path}.`))),
    roles: roles.data?.map(({ name }) => String(name)),
    ...check,
  };

  const refuse = (found: readonly Problem[]) => {
    const [first] = found;
    if (first === undefined) return;
    const tabOfFirst = tabOf(first.path);
    if (tabOfFirst !== null) onTab(tabOfFirst);
    // The tab of the field is rendered first.
    requestAnimationFrame(() => panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const save = async () => {
    if (isSaving || !isDirty) return;
    setShowsProblems(true);
    setFailure(null);
    if (problems.length > 0) return refuse(problems);
    setSaving(true);
    const body: EntityDraft = { ...draftOf(base), roles: draft.roles, ...(access === null && !base.access ? {} : { access }) };
    const result = await sendDraft(kind, body, { base, draftOf });
    setSaving(false);
    if (result.kind === "conflict") setConflict(result);
    else if (result.kind === "failed") {
      const found = (result.errors ?? []).flatMap(({ path, message }) =>
        path !== undefined && tabOf(path) !== null ? [{ path, message }] : [],
      );
      setRefusals(found);
      setFailure(result);
      refuse(found);
    } else {
      toastSaved(base.id, result, false);
      onClose();
    }
  };
  const resume = (stored: EntityDraft, theirs: Entity) => {
    const newBase = { ...base, ...theirs };
    setBase(newBase);
    setInitial(draftOfAccess(newBase.roles, newBase.access));
    setDraft(draftOfAccess(rolesOf(stored), datasetAccess.nullish().parse(stored["access"])));
    setConflict(null);
  };

  if (conflict) {
    const partOf = ({ roles: names, access: rules = null }: EntityDraft) => ({ roles: names, access: rules });
    return (
      <ConflictView
        alertClass={editor["failure"]}
        footerClass={editor["footer"]}
        noun={kind.noun}
        baseVersion={base.version}
        newestVersion={conflict.theirs.version}
        theirs={partOf(conflict.theirs)}
        mine={partOf(conflict.mine)}
        onKeepMine={() => resume(conflict.mine, conflict.theirs)}
        onTakeTheirs={() => resume(conflict.theirs, conflict.theirs)}
      />
    );
  }
  return (
    <AccessFormContext value={state}>
      {/* Not a form: Enter in a box of choices must not save rules for everyone. */}
      <Flex
        direction="column"
        flex={1}
        mih={0}
        onKeyDown={(event) => {
          if (!event.currentTarget.contains(event.target as Node) || !pressed(event, "form.save")) return;
          event.preventDefault();
          void save();
        }}
      >
        <TabList
          label="Access"
          tabs={accessTabs}
          tab={tab}
          panelId={panelId}
          refused={new Set(shown.flatMap(({ path }) => tabOf(path) ?? []))}
          takesFocus
          onChange={onTab}
        />
        <div key={tab} ref={panel} role="tabpanel" id={panelId} aria-labelledby={`${panelId}-${tab}`} className={classes["panel"]}>
          {tab === "readers" && <ReadersTab />}
          {tab === "rows" && <RowsTab />}
          {tab === "columns" && <ColumnsTab />}
          {tab === "preview" && (
            <PreviewTab
              reader={reader}
              onReader={setReader}
              access={access}
              hasProblems={problems.length > 0}
              hasOtherRoles={!sameContent(draft.roles, base.roles)}
            />
          )}
        </div>
        {/* Below the fields, which they would move when they come. */}
        <EntityWarnings warnings={check.check?.warnings} placeOf={(path) => placeText(path, draft.rules)} />
        <SaveFailure failure={failure} />
        <div className={editor["footer"]}>
          <span className={editor["note"]} role="status">
            {showsProblems && problems.length > 0 ? "Some fields need a change before this can be saved." : ""}
          </span>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isSaving} disabled={!isDirty} onClick={() => void save()}>
            Save
          </Button>
        </div>
      </Flex>
    </AccessFormContext>
  );
}

/** Effects of the rules, once they have not changed for a moment. */
function useCheck(
  id: string,
  access: ReturnType<typeof accessOf>["access"],
  isValid: boolean,
): Pick<AccessFormState, "check" | "checkState" | "checkAgain"> {
  const text = JSON.stringify(access);
  const [settled] = useDebouncedValue(text, checkDelayMs);
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ["admin", "datasets/internal", "access-check", id, settled],
    queryFn: ({ signal }) =>
      call(
        datasetAccessAdministration.check,
        { params: { id }, body: { access: datasetAccess.nullable().parse(JSON.parse(settled)) } },
        { signal },
      ),
    enabled: isValid && settled === text && access !== null,
    retry: false,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
  const isCurrent = settled === text;
  const checkState = !isValid
    ? "invalid"
    : isCurrent && isError && !isFetching
      ? "failed"
      : isCurrent && data !== undefined
        ? "done"
        : "running";
  return { check: checkState === "done" ? data : undefined, checkState, checkAgain: () => void refetch() };
}

const rolesOf = (stored: EntityDraft): string[] => (Array.isArray(stored["roles"]) ? stored["roles"].map(String) : []);

/** The part of the dialog with the field of a path. */
function tabOf(path: string): Exclude<AccessTab, "preview"> | null {
  const [field, part] = path.split(".");
  if (field === "roles") return "readers";
  if (field !== "access") return null;
  return part === "rules" ? "rows" : "columns";
}

/** Messages follow the name of a field: "is empty." */
function problemText(problem: Problem | undefined): string | undefined {
  // The gateway repeats the path in front of the reason.
  const reason = problem?.message.replace(/^'[^']*': /, "");
  return reason && `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${reason.endsWith(".") ? "" : "."}`;
}
