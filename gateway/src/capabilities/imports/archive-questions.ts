import type { ArchivedFiles, ImportChoices } from "@fairway/contract/imports";
import { plural } from "@fairway/contract/counts";
import type { ReadingQuestion } from "@fairway/contract/readings";
import type { ImportFileRow } from "./repository.ts";
import type { ImportResult } from "./tables.ts";
import { chosenEntry } from "./unpack-files.ts";

const entryQuestion = /^entry:([0-9]+)$/;
/** Groups of files that a question offers; others can be chosen by their name. */
const maxOptions = 20;

/** The result with a question for each archive that holds files which are no dataset together, as long as nobody has chosen one. */
export function withArchiveQuestions(result: ImportResult, choices: ImportChoices, files: readonly ImportFileRow[]): ImportResult {
  const { reading } = result;
  const questions = files.flatMap((file) => questionOf(choices, file));
  // Files with types of their own have no reading that could ask.
  if (reading === null || questions.length === 0) return result;
  return { ...result, reading: { ...reading, questions: [...questions, ...reading.questions] } };
}

function questionOf(choices: ImportChoices, row: ImportFileRow): ReadingQuestion[] {
  const { number, file, contents } = row;
  if (contents === null || contents.others.length === 0 || chosenEntry(choices, row) !== null) return [];
  const { taken, others } = contents;
  const first = filesText(taken);
  return [
    {
      question: `entry:${number}`,
      columns: [],
      sentence: `Which data of '${file}' is meant? It holds files that are no dataset together; ${first} ${plural(taken.count, "is", "are")} taken for now.`,
      options: [taken, ...others]
        .slice(0, maxOptions)
        .map((group) => ({ option: group.names[0] ?? "", label: filesText(group), examples: [] })),
      taken: taken.names[0] ?? "",
      isAnswered: false,
    },
  ];
}

const filesText = ({ names: [first = ""], count }: ArchivedFiles): string => (count === 1 ? first : `${first} and ${count - 1} more`);

/** Answers to questions of archives as choices of their files. What was chosen for other files says nothing of these. */
export function withAnsweredEntries({ answers, ...choices }: ImportChoices): ImportChoices {
  const entries = Object.entries(answers ?? {}).flatMap(([question, entry]) => {
    const number = entryQuestion.exec(question)?.[1];
    return number === undefined ? [] : [{ question, number, entry }];
  });
  if (entries.length === 0) return answers === undefined ? choices : { ...choices, answers };
  const asked = new Set(entries.map(({ question }) => question));
  return {
    ...choices,
    files: { ...choices.files, ...Object.fromEntries(entries.map(({ number, entry }) => [number, { ...choices.files?.[number], entry }])) },
    answers: Object.fromEntries(Object.entries(answers ?? {}).filter(([question]) => !asked.has(question))),
  };
}
