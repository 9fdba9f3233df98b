import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { Hint } from "#ui/hint.tsx";
import { IconTablePlus } from "#ui/icons/table-plus.ts";
import { useDataDoor } from "./data-door.ts";

/** Leads to the screen that takes data. Without permission it is there, too: that screen says whom to ask. */
export function AddDataButton({ className }: { className?: string | undefined }) {
  const door = useDataDoor();
  const fullId = useId();
  if (door.kind === "hidden") return null;
  const icon = <IconTablePlus size={16} aria-hidden />;
  if (door.kind === "full")
    return (
      <Hint label={door.reason}>
        <Button variant="default" leftSection={icon} className={className ?? ""} aria-disabled data-disabled aria-describedby={fullId}>
          Add data
          <span id={fullId} hidden>
            {door.reason}
          </span>
        </Button>
      </Hint>
    );
  return (
    <Button variant="default" leftSection={icon} className={className ?? ""} renderRoot={(props) => <Link to="/add-data" {...props} />}>
      Add data
    </Button>
  );
}
