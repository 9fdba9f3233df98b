import type { DatasetRef } from "@fairway/contract/datasets";
import { ActionIcon, Group } from "@mantine/core";
import { IconPolygon } from "#ui/icons/polygon.ts";
import { IconX } from "#ui/icons/x.ts";
import { type Ref, useId, useImperativeHandle, useState } from "react";
import type { GeospatialFilter } from "#parts/search-model/search-record.ts";
import { Hint } from "#ui/hint.tsx";
import uiClasses from "#ui/ui.module.css";
import classes from "./area.module.css";
import { AreaDialog } from "./islands.tsx";

interface Props {
  ref?: Ref<{ open: () => void }>;
  /** Datasets that the area narrows. */
  datasets: readonly DatasetRef[];
  value: GeospatialFilter | null;
  onChange: (area: GeospatialFilter | null) => void;
}

/** The area field of a form; its summary opens the map. */
export function AreaField({ ref, datasets, value, onChange }: Props) {
  const id = useId();
  // Null until first opened: the dialog mounts on first use.
  const [opened, setOpened] = useState<boolean | null>(null);
  useImperativeHandle(ref, () => ({ open: () => setOpened(true) }), []);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes["heading"]}>
        Area
      </h3>
      <Group gap="xs" wrap="nowrap">
        <button
          type="button"
          className={uiClasses["valueButton"]}
          data-empty={value === null || undefined}
          aria-haspopup="dialog"
          onClick={() => setOpened(true)}
        >
          <IconPolygon size={16} aria-hidden />
          <span className="visually-hidden">Area: </span>
          <span>{value ? value.text : "Anywhere"}</span>
        </button>
        {value && (
          <Hint label="Clear area">
            <ActionIcon variant="subtle" color="gray" size={32} aria-label="Clear area" onClick={() => onChange(null)}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Hint>
        )}
      </Group>
      {opened !== null && (
        <AreaDialog opened={opened} datasets={datasets} value={value} onClose={() => setOpened(false)} onDone={onChange} />
      )}
    </section>
  );
}
