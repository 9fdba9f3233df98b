import type { Limits } from "@fairway/contract/limits";
import { pluralize } from "@fairway/contract/counts";
import type { Drift } from "@fairway/contract/imports";
import { Refusal } from "#http/refusal.ts";

export const mayNotImport = () =>
  new Refusal("forbidden", "You may not bring data of your own. Ask an administrator for the role 'data-upload'.");

export const noSuchImport = () => new Refusal("not-found", "There is no such import, or it has expired.");

export const noSuchFile = (count: number) => new Refusal("not-found", `The import has ${pluralize(count, "file")}.`, { path: "n" });

export const fileTooLarge = ({ ownDataFileBytes }: Pick<Limits, "ownDataFileBytes">, path: string) =>
  new Refusal("too-large", `Files may have at most ${sizeText(ownDataFileBytes)}.`, { path });

/** As `1 GB`. */
function sizeText(bytes: number): string {
  const [size, unit] = bytes >= 1e9 ? [bytes / 1e9, "GB"] : bytes >= 1e6 ? [bytes / 1e6, "MB"] : [bytes / 1e3, "kB"];
  return `${size.toLocaleString("en-US", { maximumSignificantDigits: 3 })} ${unit}`;
}

export const isBeingRead = () =>
  new Refusal("too-many-requests", "Another import of yours is being read. Wait until it is done, or discard it.", {
    retryAfterSeconds: 5,
  });

const openThings: Readonly<Record<string, string>> = {
  dateOrder: "the dates of this file",
  decimalMark: "the numbers of this file",
  encoding: "the letters of this file",
  twoDigitYears: "the years of this file",
  swappedPlaces: "the places of this file",
};

export function questionIsOpen(question: string): Refusal {
  const answer = `Answer '${question}', or send acceptAssumed.`;
  const path = `answers.${question}`;
  if (question.startsWith("entry:"))
    return new Refusal("conflict", `An archive holds files that are no dataset together. ${answer}`, { path });
  const what = openThings[question] ?? `the values of '${question.replace(/^missing:/, "")}'`;
  return new Refusal("conflict", `Two readings fit ${what}. ${answer}`, { path });
}

export const nameTaken = (name: string) =>
  new Refusal("name-taken", `You have a dataset '${name}', or one that can still be restored.`, { path: "name" });

export const columnIsNeeded = (column: string) =>
  new Refusal("conflict", `The files have no column '${column}', without which the dataset does not work.`, { path: "acceptDrift" });

export const driftIsOpen = ({ sentence }: Pick<Drift, "sentence">) => new Refusal("conflict", sentence, { path: "acceptDrift" });

export const nothingChanged = () => new Refusal("conflict", "Nothing has changed. Choose how the files are read first.");

export const noRows = () => new Refusal("invalid-request", "The file has no rows.");
