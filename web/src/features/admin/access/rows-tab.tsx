import { pluralize } from "@fairway/contract/counts";
import { accessLimits } from "@fairway/contract/dataset-access";
import { Button, Group, Stack } from "@mantine/core";
import { Fragment, type KeyboardEvent, useRef } from "react";
import { confirm } from "#ui/dialog/confirm.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { EmptyState, FailureLine } from "#ui/states.tsx";
import { useAccessForm } from "./access-context.ts";
import { newRule, type RuleDraft } from "./access-draft.ts";
import { RuleCard } from "./rule-card.tsx";
import classes from "./access.module.css";

/** The rules about rows, a card each. A reader sees the rows that every card shows. */
export function RowsTab() {
  const { draft, update, problemAt } = useAccessForm();
  const list = useRef<HTMLDivElement>(null);
  const { rules } = draft;
  const focusCard = (index: number) =>
    requestAnimationFrame(() => {
      const cards = list.current?.querySelectorAll<HTMLElement>("[data-rule]") ?? [];
      (cards[Math.min(index, cards.length - 1)] ?? list.current?.querySelector<HTMLElement>("[data-add-rule]"))?.focus();
    });
  const add = () => {
    update((now) => ({ rules: [...now.rules, newRule()] }));
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[data-rule]:last-of-type input")?.focus());
  };
  const change = (index: number, changed: Partial<RuleDraft>) =>
    update((now) => ({ rules: now.rules.map((one, at) => (at === index ? { ...one, ...changed } : one)) }));
  const remove = async (index: number) => {
    const name = rules[index]?.name || `rule ${index + 1}`;
    const confirmed = await confirm({
      title: `Delete ${name}?`,
      text: "Its readers may then see more rows. Nothing changes before you save.",
      confirmLabel: "Delete",
      destructive: true,
    });
    if (!confirmed) return;
    update((now) => ({ rules: now.rules.toSpliced(index, 1) }));
    focusCard(index);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    // Keys of the fields in a card are their own.
    if (event.target !== event.currentTarget) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const to = index + step;
    if (event.key === "Delete") void remove(index);
    else if (step === 0 || to < 0 || to >= rules.length) return;
    else {
      if (event.altKey) update((now) => ({ rules: moved(now.rules, index, to) }));
      focusCard(to);
    }
    event.preventDefault();
  };
  const isFull = rules.length >= accessLimits.rules;
  const addButton = (
    <Group gap="sm">
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={isFull}
        data-add-rule
        aria-describedby={isFull ? "rules-full" : undefined}
        onClick={add}
      >
        Add rule
      </Button>
      {isFull && <span id="rules-full" className={classes["about"]}>{`A dataset can have ${accessLimits.rules} rules.`}</span>}
    </Group>
  );
  const problem = problemAt("access.rules");
  if (rules.length === 0) {
    return (
      <div ref={list}>
        <EmptyState action={addButton}>Everyone with access sees all rows.</EmptyState>
      </div>
    );
  }
  return (
    <Stack ref={list} gap="sm">
      <Unseen />
      {problem !== undefined && (
        <p role="alert" className={classes["problem"]}>
          {problem}
        </p>
      )}
      {rules.map((rule, index) => (
        <Fragment key={rule.key}>
          {index > 0 && <p className={classes["joint"]}>and</p>}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the card, which its buttons have too */}
          <section
            data-rule
            aria-label={`Rule ${rule.name || index + 1}`}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrows lead from card to card
            tabIndex={0}
            className={classes["card"]}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            <RuleCard rule={rule} index={index} onChange={(changed) => change(index, changed)} onRemove={() => void remove(index)} />
          </section>
        </Fragment>
      ))}
      {addButton}
      <p className={classes["about"]}>
        A reader sees a row where every rule has a grant that shows it. Whoever holds no grant of a rule sees no rows. On a card, the arrow
        keys lead to the next one, with Alt they move it, and Delete deletes it.
      </p>
    </Stack>
  );
}

/** The rows that are lost to everyone, which is rarely meant. */
function Unseen() {
  const { check, checkState, checkAgain } = useAccessForm();
  const rows = check?.unseenRows ?? null;
  if (checkState === "failed")
    return <FailureLine className={classes["unseen"]} text="The rows could not be counted." onRetry={checkAgain} />;
  return (
    <p role="status" className={classes["unseen"]} data-some={(rows ?? 0) > 0 || undefined}>
      {checkState === "done" ? unseenText(rows) : checkTexts[checkState]}
    </p>
  );
}

const checkTexts = {
  invalid: "The rows are counted once no field needs a change.",
  running: "Counting the rows",
};

function unseenText(rows: number | null): string {
  if (rows === null) return "Rows that nobody sees: not counted";
  return rows === 0 ? "Every row is seen by someone." : `${pluralize(rows, "row")} that nobody sees`;
}

/** The rules with one of them in another place. */
function moved(rules: readonly RuleDraft[], from: number, to: number): RuleDraft[] {
  const rest = rules.toSpliced(from, 1);
  const rule = rules[from];
  return rule === undefined ? rest : rest.toSpliced(to, 0, rule);
}
