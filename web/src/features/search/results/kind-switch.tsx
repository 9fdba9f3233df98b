import { SegmentedControl } from "@mantine/core";
import { useContext } from "react";
import { confirmDiscard, DialogFormsContext } from "#ui/dialog/unsaved-changes.tsx";

type Kind = "formula" | "lookup";

/** The kind of a new column. Asks before what was typed for the other kind is lost. */
export function KindSwitch({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  const dialog = useContext(DialogFormsContext);
  const change = async (chosen: Kind) => {
    const forms = dialog?.forms;
    if (forms === undefined || forms.size === 0 || (await confirmDiscard(forms))) onChange(chosen);
  };
  return (
    <SegmentedControl
      aria-label="Kind of column"
      fullWidth
      data={[
        { value: "formula", label: "Formula" },
        { value: "lookup", label: "From another dataset" },
      ]}
      value={kind}
      onChange={(value) => void change(value === "lookup" ? "lookup" : "formula")}
    />
  );
}
