import type { FileReading } from "@fairway/contract/readings";
import { DelimiterFields } from "./delimiter-fields.tsx";
import { DateOrderField, DecimalMarkField, EncodingField, PathField, ZoneField } from "./reading-fields.tsx";
import type { ReadingReportProps } from "./reading-report-props.ts";
import { withFields } from "./reading-words.ts";
import classes from "./reading.module.css";

/** How the files are read, as fields. An empty choice lets the rules decide. */
export function ReadingSettings({ file, reading, choices, onChoices }: ReadingReportProps & { file: FileReading }) {
  const change = (changed: ReadingReportProps["choices"]) => onChoices(withFields(choices, changed));
  return (
    <details className={classes["settings"]}>
      <summary>Change how it is read</summary>
      <div>
        <EncodingField file={file} onChange={change} />
        <DelimiterFields file={file} onChange={change} />
        <PathField file={file} onChange={change} />
        <DateOrderField reading={reading} onChange={change} />
        <DecimalMarkField reading={reading} onChange={change} />
        <ZoneField reading={reading} onChange={change} />
      </div>
    </details>
  );
}
