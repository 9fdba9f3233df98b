import type { ReadingQuestion } from "@fairway/contract/readings";
import { Flex, NativeSelect } from "@mantine/core";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { useId } from "react";
import type { ReadingReportProps } from "./reading-report-props.ts";
import { exampleInWords, withAnswer } from "./reading-words.ts";
import classes from "./reading.module.css";

/** Decisions that nothing in the data proves, each with its readings. */
export function ReadingQuestions({ reading: { questions }, choices, onChoices }: ReadingReportProps) {
  const answer = (question: string, option: string) => onChoices(withAnswer(choices, question, option));
  if (questions.length === 0) return null;
  return (
    <Flex aria-label="Questions" component="section" gap="md" direction="column" flex="none">
      {questions.map((question) => (
        <Question key={question.question} question={question} onAnswer={(option) => answer(question.question, option)} />
      ))}
    </Flex>
  );
}

function Question({ question, onAnswer }: { question: ReadingQuestion; onAnswer: (option: string) => void }) {
  const { sentence, options, taken, isAnswered } = question;
  const examplesId = useId();
  const examples = options.find(({ option }) => option === taken)?.examples ?? [];
  return (
    <div className={classes["question"]} data-open={!isAnswered}>
      <NativeSelect
        label={
          <>
            {!isAnswered && <IconAlertTriangle size={16} aria-hidden />}
            {sentence}
          </>
        }
        value={taken}
        onChange={(event) => onAnswer(event.currentTarget.value)}
        aria-describedby={examplesId}
        data={options.map(({ option, label, examples: [first] }) => ({
          value: option,
          label: first === undefined ? label : `${label}: ${exampleInWords(first)}`,
        }))}
      />
      <p id={examplesId}>
        {isAnswered ? "" : "Not answered yet. Meanwhile: "}
        {examples.map(exampleInWords).join(", ")}
      </p>
      {!isAnswered && (
        <button type="button" className={classes["keep"]} onClick={() => onAnswer(taken)}>
          Keep it as it is
        </button>
      )}
    </div>
  );
}
