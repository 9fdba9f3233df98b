import { flowLimits } from "@fairway/contract/flows";
import { Textarea } from "@mantine/core";

/** Why a flow should change. */
export function ReasonField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Textarea
      label="Reason (optional)"
      description="What changes, and why. Reviewers see it first."
      autosize
      minRows={2}
      maxRows={8}
      maxLength={flowLimits.reasonCharacters}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
