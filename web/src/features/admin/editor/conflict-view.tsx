import type { Entity } from "@fairway/contract/entities";
import { Button } from "@mantine/core";
import { EntityDiff } from "../entities/entity-diff.tsx";
import { type EntityDraft, withFieldOrder } from "../entities/entity.ts";
import classes from "./editor.module.css";

interface ConflictViewProps {
  noun: string;
  base: Entity;
  newest: Entity;
  theirs: EntityDraft;
  /** Their version with this user's changes. */
  mine: unknown;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Shown when another user saved first: compares both versions and lets the user choose one. */
export function ConflictView({ noun, base, newest, theirs, mine, onKeepMine, onTakeTheirs }: ConflictViewProps) {
  return (
    <>
      <p role="alert" className={classes["failure"]}>
        <strong>Changed by someone else</strong>
        <br />
        {`The ${noun} was saved while you edited version ${base.version}. The newest is version ${newest.version}.`}
      </p>
      <EntityDiff
        label="Both versions"
        names={[`Theirs, version ${newest.version}`, "Yours"]}
        before={theirs}
        after={withFieldOrder(theirs, mine)}
      />
      <div className={classes["footer"]}>
        <span />
        <Button variant="default" onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Button onClick={onKeepMine}>Keep mine and continue</Button>
      </div>
    </>
  );
}
