import type { DataImport, ImportChoices } from "@fairway/contract/imports";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconAlertCircle } from "#ui/icons/alert-circle.ts";
import { LoadingRows } from "#ui/states.tsx";
import { ChooseAgain } from "./choose-again.tsx";
import { DriftList } from "./drift-list.tsx";
import { entryChoices } from "./import-choices.ts";
import { ArchiveLines } from "./archive-lines.tsx";
import { FieldLines } from "./field-lines.tsx";
import { ImportQuestion } from "./import-question.tsx";
import { UnderstoodLines } from "./understood-lines.tsx";
import { UnreadList } from "./unread-list.tsx";
import type { ImportScreen } from "./use-import.ts";
import classes from "./add-data.module.css";

interface Props {
  screen: ImportScreen;
  data: DataImport;
  /** Shows the values of a column that could not be read; null: all. */
  onUnread: (column: string | null) => void;
}

/** Open questions first, then how the files are read, then the values that could not be read. */
export function ImportPanel({ screen, data, onUnread }: Props) {
  const { reading, failure, status, into, drift, sample } = data;
  const open = (reading?.questions ?? []).filter(({ isAnswered }) => !isAnswered);
  const notes = reading === null ? [] : [...reading.sentences, ...reading.files.flatMap(({ sentences }) => sentences)];
  const left =
    reading === null || sample === null ? [] : reading.columns.filter(({ name }) => !sample.columns.some((one) => one.name === name));
  return (
    <>
      <ChooseAgain data={data} />
      {status === "failed" && failure !== null && <Failure failure={failure} isReadAgain={into?.mode === "read-again"} />}
      {screen.refusal !== null && !screen.refusal.isName && (
        <p role="alert" className={classes["failure"]}>
          {screen.refusal.messages.join(" ")}
        </p>
      )}
      {into !== null && status === "ready" && <DriftList into={into} drift={drift} accepted={screen.accepted} onAccept={screen.accept} />}
      {open.map((question) => (
        <ImportQuestion
          key={`${question.question} ${question.taken}`}
          question={question}
          isSaving={screen.isChoosing}
          onAnswer={(option) => screen.chooseOrTell(answerOf(question.question, option), answeredText(open.length - 1))}
        />
      ))}
      {reading === null && status === "reading" && <LoadingRows label="Reading the file" rows={6} rowHeight={40} />}
      {reading === null && sample !== null && (
        <section aria-label="What was understood" className={classes["section"]}>
          <h2>What was understood</h2>
          <p className={classes["fits"]}>The columns have the types of the file.</p>
          <ul>
            <ArchiveLines data={data} onChoose={screen.chooseOrTell} />
            {data.fields !== null && into === null && <FieldLines data={data} fields={screen.fields} onFields={screen.setFields} />}
          </ul>
        </section>
      )}
      {reading !== null && (
        <section aria-label="What was understood" className={classes["section"]}>
          <h2>What was understood</h2>
          <UnderstoodLines
            data={data}
            reading={reading}
            fields={screen.fields}
            onFields={screen.setFields}
            onChoose={screen.chooseOrTell}
          />
          {notes.length > 0 && (
            <ul className={classes["notes"]}>
              {[...new Set(notes)].map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          {left.length > 0 && (
            <ul className={classes["notes"]}>
              {left.map(({ name }) => (
                <li key={name}>
                  <b>{name}</b> is left out.{" "}
                  <button
                    type="button"
                    className={classes["link"]}
                    aria-label={`Put ${name} back`}
                    onClick={() => screen.chooseOrTell({ columns: { [name]: { leaveOut: null } } }, `${name} is back.`)}
                  >
                    Put back
                  </button>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {reading !== null && <UnreadList reading={reading} onShow={onUnread} />}
    </>
  );
}

/** Which files of an archive are meant is a choice of the archive: their names may be longer than answers. */
function answerOf(question: string, option: string): ImportChoices {
  const [, archive] = /^entry:([0-9]+)$/.exec(question) ?? [];
  return archive === undefined ? { answers: { [question]: option } } : entryChoices(archive, option);
}

const answeredText = (left: number): string =>
  left === 0 ? "Answered. No question is open." : left === 1 ? "Answered. One question is open." : `Answered. ${left} questions are open.`;

/** Why nothing could be read, and what to do. */
function Failure({ failure: { message, line }, isReadAgain }: { failure: NonNullable<DataImport["failure"]>; isReadAgain: boolean }) {
  return (
    <div role="alert" className={classes["failure"]}>
      <p>
        <IconAlertCircle size={16} aria-hidden />
        <span>
          {message}
          {line !== undefined && !message.includes(`line ${line}`) && ` (line ${line})`}
        </span>
      </p>
      {!isReadAgain && (
        <Button variant="default" renderRoot={(props) => <Link to="/add-data" {...props} />}>
          Choose another file
        </Button>
      )}
    </div>
  );
}
