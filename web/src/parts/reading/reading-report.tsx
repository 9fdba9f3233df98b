import { formatCount, pluralize } from "@fairway/contract/counts";
import type { FileReading } from "@fairway/contract/readings";
import { ReadingColumns } from "./reading-columns.tsx";
import { ReadingQuestions } from "./reading-questions.tsx";
import { ReadingSettings } from "./reading-settings.tsx";
import type { ReadingReportProps } from "./reading-report-props.ts";
import { fileLine, openLine } from "./reading-words.ts";
import classes from "./reading.module.css";

/** The reading of text files, with a choice for everything that could be read otherwise. */
export function ReadingReport({ reading, choices, onChoices, alreadyShown, hasColumns = true }: ReadingReportProps) {
  const { files, fileCount, sentences } = reading;
  const [first] = files;
  const open = openLine(reading);
  return (
    <>
      <ReadingQuestions reading={reading} choices={choices} onChoices={onChoices} />
      <section aria-label="What was understood" className={classes["understood"]}>
        <h3>What was understood</h3>
        {first && <p>{fileCount > 1 ? `${fileCount.toLocaleString("en-US")} files; the first: ${fileLine(first)}` : fileLine(first)}</p>}
        {open !== null && <p className={classes["open"]}>{open}</p>}
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {files.map((file) => (
            <FileFindings key={file.file} file={file} isOneOfSeveral={fileCount > 1} alreadyShown={alreadyShown} />
          ))}
        </ul>
        {first && <ReadingSettings file={first} reading={reading} choices={choices} onChoices={onChoices} />}
      </section>
      {hasColumns && <ReadingColumns columns={reading.columns} choices={choices} onChoices={onChoices} />}
    </>
  );
}

interface FileFindingsProps {
  file: FileReading;
  isOneOfSeveral: boolean;
  alreadyShown: readonly string[] | undefined;
}

/** Notes on one file, and its first lines that could not be read. */
function FileFindings({ file: { file, sentences, unreadable }, isOneOfSeveral, alreadyShown }: FileFindingsProps) {
  const named = (text: string) => (isOneOfSeveral ? `${file}: ${text}` : text);
  return (
    <>
      {sentences
        .filter((sentence) => alreadyShown?.some((other) => other.endsWith(sentence)) !== true)
        .map((sentence) => (
          <li key={sentence}>{named(sentence)}</li>
        ))}
      {unreadable.first.length > 0 && (
        <li>
          <details>
            <summary>{named(`${pluralize(unreadable.count, "line")} not read`)}</summary>
            <ul>
              {unreadable.first.map(({ line, text, reason }) => (
                <li key={`${line} ${text}`}>
                  {`Line ${line === null ? "?" : formatCount(line)}${reason === undefined ? "" : `: ${reason}`}: `}
                  <code>{text}</code>
                </li>
              ))}
              {unreadable.count > unreadable.first.length && (
                <li>{`and ${formatCount(unreadable.count - unreadable.first.length)} more`}</li>
              )}
            </ul>
          </details>
        </li>
      )}
    </>
  );
}
