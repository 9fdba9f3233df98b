import type { ArchivedFiles, DataImport, ImportChoices } from "@fairway/contract/imports";
import { NativeSelect } from "@mantine/core";
import { sizeText } from "#lib/text/size-text.ts";
import { IconFile } from "#ui/icons/file.ts";
import { entryChoices } from "./import-choices.ts";
import { Line } from "./line.tsx";

interface Props {
  data: DataImport;
  onChoose: (choices: ImportChoices) => void;
}

/** The files taken from ZIP files, and what else these hold. */
export function ArchiveLines({ data: { files }, onChoose }: Props) {
  return files.map(({ number, file, contents }) => {
    if (contents === undefined || (contents.others.length === 0 && contents.taken.count === 1)) return null;
    const { taken, others } = contents;
    return (
      <Line
        key={number}
        icon={IconFile}
        title={filesText(taken)}
        note={others.length === 0 ? `Of ${file}, as one` : `Of ${file}, which holds others`}
      >
        <NativeSelect
          label={`Files of ${file}`}
          value={taken.names[0] ?? ""}
          data={[taken, ...others].map((one) => ({ value: one.names[0] ?? "", label: `${filesText(one)}, ${sizeText(one.bytes)}` }))}
          onChange={(event) => onChoose(entryChoices(number, event.currentTarget.value))}
        />
      </Line>
    );
  });
}

const filesText = ({ names: [first = ""], count }: ArchivedFiles): string => (count === 1 ? first : `${first} and ${count - 1} more`);
