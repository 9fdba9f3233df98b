import { pluralize } from "@fairway/contract/counts";
import { accessLimits } from "@fairway/contract/dataset-access";
import { Button, Flex, Group, Stack, TextInput } from "@mantine/core";
import { Fragment } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { useAccessForm } from "./access-context.ts";
import { type GrantDraft, newGrant, type RuleDraft } from "./access-draft.ts";
import { grantSentence } from "./access-text.ts";
import { GrantFields } from "./grant-fields.tsx";
import classes from "./access.module.css";

interface Props {
  rule: RuleDraft;
  index: number;
  onChange: (changed: Partial<RuleDraft>) => void;
  onRemove: () => void;
}

/** One aspect of the rows, such as the region, and who sees which of them. */
export function RuleCard({ rule, index, onChange, onRemove }: Props) {
  const { problemAt } = useAccessForm();
  const { name, note, grants } = rule;
  const path = `access.rules.${index}`;
  const isFull = grants.length >= accessLimits.grants;
  const setGrant = (at: number, changed: Partial<GrantDraft>) =>
    onChange({ grants: grants.map((one, place) => (place === at ? { ...one, ...changed } : one)) });
  return (
    <Stack gap="md">
      <Flex gap="sm" align="flex-start" wrap="wrap">
        <TextInput
          label="Name"
          description="One aspect, such as Region"
          inputWrapperOrder={["label", "input", "description", "error"]}
          flex="1 1 160px"
          value={name}
          maxLength={accessLimits.nameCharacters}
          error={problemAt(`${path}.name`)}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Note"
          description="Readers who see a part of the rows are told this"
          inputWrapperOrder={["label", "input", "description", "error"]}
          flex="3 1 240px"
          value={note}
          maxLength={accessLimits.noteCharacters}
          error={problemAt(`${path}.note`)}
          autoComplete="off"
          onChange={(event) => onChange({ note: event.currentTarget.value })}
        />
        <div className={classes["removes"]}>
          <IconButton label={`Delete rule ${name || index + 1}`} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </IconButton>
        </div>
      </Flex>
      {grants.map((grant, at) => (
        <Fragment key={grant.key}>
          {at > 0 && <p className={classes["joint"]}>or</p>}
          <Grant
            grant={grant}
            rule={index}
            index={at}
            onChange={(changed) => setGrant(at, changed)}
            onRemove={grants.length > 1 ? () => onChange({ grants: grants.toSpliced(at, 1) }) : undefined}
          />
        </Fragment>
      ))}
      <Group gap="sm">
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={isFull}
          onClick={() => onChange({ grants: [...grants, newGrant()] })}
        >
          Add grant
        </Button>
        {isFull && <span className={classes["about"]}>{`A rule can have ${accessLimits.grants} grants.`}</span>}
      </Group>
    </Stack>
  );
}

interface GrantProps {
  grant: GrantDraft;
  rule: number;
  index: number;
  onChange: (changed: Partial<GrantDraft>) => void;
  /** Undefined for the only one. */
  onRemove: (() => void) | undefined;
}

function Grant({ grant, rule, index, onChange, onRemove }: GrantProps) {
  const { storedColumns } = useAccessForm();
  const sentence = grantSentence(grant, storedColumns);
  return (
    <div role="group" aria-label={sentence} className={classes["grant"]}>
      <Flex columnGap="sm" justify="space-between" align="baseline" wrap="wrap">
        <p className={classes["sentence"]}>{sentence}</p>
        <GrantRows grant={grant} rule={rule} index={index} />
      </Flex>
      <GrantFields grant={grant} path={`access.rules.${rule}.grants.${index}`} onChange={onChange} onRemove={onRemove} />
    </div>
  );
}

/** How many rows a grant shows by itself. */
function GrantRows({ grant, rule, index }: Pick<GrantProps, "grant" | "rule" | "index">) {
  const { check } = useAccessForm();
  const rows = check?.grants.find((one) => one.rule === rule && one.grant === index)?.rows;
  const isOfReader = grant.filters.some(({ condition }) => condition === "username" || condition === "groups" || condition === "roles");
  const text =
    rows === undefined ? "" : rows === null ? (isOfReader ? "rows depend on the reader" : "rows not counted") : pluralize(rows, "row");
  return <span className={classes["rows"]}>{text}</span>;
}
