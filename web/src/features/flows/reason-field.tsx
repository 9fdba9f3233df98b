import { flowLimits } from "@fairway/contract/flows";
import { Textarea, type TextareaProps } from "@mantine/core";

/** Why a flow should change. */
export function ReasonField(props: Pick<TextareaProps, "value" | "onChange" | "error">) {
  return (
    <Textarea
      label="Reason (optional)"
      description="What changes, and why. Reviewers see it first."
      autosize
      minRows={2}
      maxRows={8}
      maxLength={flowLimits.reasonCharacters}
      {...props}
    />
  );
}
