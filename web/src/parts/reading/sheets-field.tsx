import type { FileReading } from "@fairway/contract/readings";
import { Button, Checkbox, Stack } from "@mantine/core";
import { useState } from "react";

interface Props {
  /** The sheets with the same column names. */
  sheets: NonNullable<FileReading["sheets"]>;
  /** Those that are read as one. */
  read: readonly string[];
  onChange: (sheets: string[]) => void;
}

/** Which sheets of a workbook are read as one, applied together: each change reads the file again. */
export function SheetsField({ sheets, read, onChange }: Props) {
  const [chosen, setChosen] = useState<readonly string[]>(read);
  const inOrder = sheets.flatMap(({ name }) => (chosen.includes(name) ? [name] : []));
  return (
    <>
      <Checkbox.Group label="Sheets that are read as one" value={[...chosen]} onChange={setChosen}>
        <Stack gap={4} mt={4} mah={220} style={{ overflowY: "auto" }}>
          {sheets.map(({ name, isHidden }) => (
            <Checkbox key={name} value={name} label={isHidden ? `${name} (hidden)` : name} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Button variant="default" disabled={inOrder.length === 0 || inOrder.join("/") === read.join("/")} onClick={() => onChange(inOrder)}>
        {inOrder.length === 1 ? "Read this sheet" : `Read these ${inOrder.length} sheets`}
      </Button>
    </>
  );
}
