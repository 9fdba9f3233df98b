import { pluralize } from "@fairway/contract/counts";
import type { DataImport, ImportChoices } from "@fairway/contract/imports";
import type { ColumnReading } from "@fairway/contract/readings";
import { Checkbox, NativeSelect, Radio, Stack, TagsInput } from "@mantine/core";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { useLastShown } from "#ui/use-last-shown.ts";
import { typeNames, wayKey, wayOfKey, zoneOptions } from "#parts/reading/reading-words.ts";
import { capitalized } from "./import-words.ts";
import classes from "./add-data.module.css";

interface Props {
  data: DataImport;
  /** Name of the column; null closes. */
  column: string | null;
  /** Rejects with the reason if the choice does not fit. */
  onChoose: (choices: ImportChoices, said: string) => Promise<void>;
  onClose: () => void;
}

/** The choices of a column: another way to read it, its zone, and leaving it out. */
export function ColumnDialog({ data, column: name, onChoose, onClose }: Props) {
  const shown = useLastShown(name);
  const column = data.reading?.columns.find((one) => one.name === shown);
  if (column === undefined) return null;
  const own = wayKey(column);
  const words = column.missingWords ?? data.reading?.missingWords ?? [];
  const isLeftOut = data.sample?.columns.some((one) => one.name === column.name) === false;
  return (
    <FormDialog
      key={column.name}
      opened={name !== null}
      onClose={onClose}
      title={column.name}
      size={480}
      initial={{ way: own, zone: column.zone ?? "", words: [...words], leaveOut: isLeftOut }}
      saveLabel="Apply"
      save={async ({ way, zone, words: chosenWords, leaveOut }) => {
        const chosen = {
          ...(way === own ? {} : wayOfKey(way)),
          ...(column.zone !== null && zone !== column.zone ? { zone } : {}),
          ...(chosenWords.join("\n") === words.join("\n") ? {} : { missingWords: chosenWords }),
          ...(leaveOut === isLeftOut ? {} : { leaveOut }),
        };
        if (Object.keys(chosen).length > 0) await onChoose({ columns: { [column.name]: chosen } }, `${column.name} is read again.`);
        onClose();
      }}
    >
      {({ values, set }) => (
        <>
          <p className={classes["sentence"]}>{column.sentence}</p>
          <Radio.Group label="Read as" value={values.way} onChange={(way) => set({ way })}>
            <Stack gap="xs" mt="xs">
              {waysOf(column).map(({ key, label, note }) => (
                <Radio key={key} value={key} label={label} description={note} data-autofocus={key === values.way || undefined} />
              ))}
            </Stack>
          </Radio.Group>
          {column.zone !== null && (
            <NativeSelect
              label="Zone of times without one"
              value={values.zone}
              onChange={(event) => set({ zone: event.currentTarget.value })}
              data={zoneOptions(values.zone)}
            />
          )}
          {column.type !== "STRING" && (
            <TagsInput
              label="Words for no value"
              value={values.words}
              maxTags={100}
              splitChars={["\n", "\t"]}
              acceptValueOnBlur
              onChange={(list) => set({ words: list })}
            />
          )}
          <Checkbox
            label="Leave this column out"
            checked={values.leaveOut}
            onChange={(event) => set({ leaveOut: event.currentTarget.checked })}
          />
        </>
      )}
    </FormDialog>
  );
}

/** The present way first, then the others that fit. */
function waysOf(column: ColumnReading): { key: string; label: string; note: string | undefined }[] {
  const own = wayKey(column);
  const lossOf = (unreadable: number) => (unreadable > 0 ? `${pluralize(unreadable, "value")} would be empty` : undefined);
  return [
    { key: own, label: capitalized(column.label ?? typeNames[column.type]), note: lossOf(column.unreadable.count) },
    ...column.also
      .map((way) => ({ key: wayKey(way), label: capitalized(way.label), note: lossOf(way.unreadable) }))
      .filter(({ key }) => key !== own),
  ];
}
