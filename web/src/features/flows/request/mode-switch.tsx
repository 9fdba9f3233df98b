import { SegmentedControl } from "@mantine/core";
import { useRequest } from "./request-context.ts";
import { viewInMode } from "./view-address.ts";

const modes = [
  { value: "single", label: "Single" },
  { value: "diff", label: "Diff" },
];

/** Whether one iteration is shown or two are compared. */
export function ModeSwitch() {
  const { iterations, shown, show } = useRequest();
  return (
    <SegmentedControl
      aria-label="View mode"
      size="xs"
      data={modes}
      value={shown.mode}
      onChange={(mode) => show(viewInMode(mode === "diff" ? "diff" : "single", iterations[shown.iteration - 1]?.format))}
    />
  );
}
