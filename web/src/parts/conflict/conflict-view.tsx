import { Button, Group } from "@mantine/core";
import { withFieldOrder } from "./field-order.ts";
import { JsonDiff } from "./json-diff.tsx";

interface ConflictViewProps {
  noun: string;
  /** The version that the edit started with, and the one that is stored now. */
  baseVersion: number;
  newestVersion: number;
  theirs: unknown;
  /** Their version with this user's changes. */
  mine: unknown;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  alertClass: string | undefined;
  /** Of the buttons in a dialog. Default: at the right end. */
  footerClass?: string | undefined;
}

/** Shown when another user saved first: compares both versions and lets the user choose one. */
export function ConflictView({ noun, baseVersion, newestVersion, theirs, mine, ...props }: ConflictViewProps) {
  const buttons = (
    <>
      <Button variant="default" onClick={props.onTakeTheirs}>
        Take theirs
      </Button>
      <Button onClick={props.onKeepMine}>Keep mine and continue</Button>
    </>
  );
  return (
    <>
      <p role="alert" className={props.alertClass}>
        <strong>Changed by someone else</strong>
        <br />
        {`The ${noun} was saved while you edited version ${baseVersion}. The newest is version ${newestVersion}.`}
      </p>
      <JsonDiff
        label="Both versions"
        names={[`Theirs, version ${newestVersion}`, "Yours"]}
        before={theirs}
        after={withFieldOrder(theirs, mine)}
      />
      {props.footerClass === undefined ? (
        <Group justify="flex-end">{buttons}</Group>
      ) : (
        <div className={props.footerClass}>
          <span />
          {buttons}
        </div>
      )}
    </>
  );
}
