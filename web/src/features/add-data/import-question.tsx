import type { ReadingQuestion } from "@fairway/contract/readings";
import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { exampleInWords } from "#parts/reading/reading-words.ts";
import classes from "./add-data.module.css";

interface Props {
  question: ReadingQuestion;
  isSaving: boolean;
  onAnswer: (option: string) => void;
}

/** An open question with both readings. The one that the rules took is chosen, so that one press answers. */
export function ImportQuestion({ question: { question, sentence, columns, options, taken }, isSaving, onAnswer }: Props) {
  const [chosen, setChosen] = useState(taken);
  const id = useId();
  const label = options.find(({ option }) => option === chosen)?.label ?? chosen;
  return (
    <div role="radiogroup" aria-labelledby={`${id}-title`} className={classes["question"]} data-question={question}>
      <p id={`${id}-title`} className={classes["questionTitle"]}>
        <IconAlertTriangle size={16} aria-hidden />
        <span>{sentence}</span>
      </p>
      {columns.length > 0 && (
        <p>
          {"In "}
          {columns.slice(0, 5).map((column, index) => (
            <span key={column}>
              {index > 0 && ", "}
              <b>{column}</b>
            </span>
          ))}
          {columns.length > 5 && ` and ${columns.length - 5} more`}
        </p>
      )}
      {options.map(({ option, label: name, examples }) => (
        <label key={option}>
          <input type="radio" name={`${id}-option`} value={option} checked={option === chosen} onChange={() => setChosen(option)} />
          <span>
            {name}
            {examples.length > 0 && <small>{examples.map(exampleInWords).join(", ")}</small>}
          </span>
        </label>
      ))}
      <Button variant="default" loading={isSaving} onClick={() => onAnswer(chosen)}>
        {actionOf(question, label)}
      </Button>
    </div>
  );
}

/** Options of a source are nouns, of which only encodings are names; those of columns say themselves what to do. */
function actionOf(question: string, label: string): string {
  if (question === "encoding") return `Use ${label}`;
  if (question === "dateOrder" || question === "decimalMark" || question === "twoDigitYears") return `Use ${label.toLowerCase()}`;
  return question.startsWith("entry:") ? `Take ${label}` : label;
}
