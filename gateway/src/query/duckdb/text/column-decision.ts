import {
  type ColumnDecision,
  type ColumnEvidence,
  type Facts,
  type SourceDecisions,
  countedGroups,
  decision,
  found,
  isDominant,
  nothingOpen,
  sumOf,
  text,
} from "./column-facts.ts";
import { decideNumber } from "./number-decision.ts";
import { asText } from "./text-decision.ts";
import { type TextReading, plainText } from "./text-reading.ts";
import { decideTime } from "./time-decision.ts";
import { wayLabel } from "./way-words.ts";

/** Decides the type and form of a column from all of its values. */
export function decideColumn(column: ColumnEvidence, source: SourceDecisions): ColumnDecision {
  const counted = countedGroups(column.groups, source.missingWords);
  const filled = sumOf(counted);
  const missing = sumOf(counted.filter(({ isMissing }) => isMissing));
  const facts: Facts = { column, counted, filled, missing, source };
  if (filled === missing) {
    const sentence = filled === 0 ? "It has no values." : "It holds nothing but words that stand for missing values.";
    return asText(facts, sentence, []);
  }
  return decideBoolean(facts) ?? decideTime(facts) ?? decideNumber(facts) ?? asText(facts, "Text.", []);
}

/**
 * The same decision with the number of values that the casts read, of those that mean that there is no value, and of those that are
 * written as they should be.
 */
export function withCount(found: ColumnDecision, readable: number, emptied: number, written: number): ColumnDecision {
  const missing = found.missing + emptied;
  const counted: ColumnDecision = { ...found, readable: readable - emptied, missing, needsCount: false };
  const unreadable = found.filled - missing - counted.readable;
  if (unreadable <= 0) return { ...counted, state: found.state === "mixed" ? "sure" : found.state };
  if (!found.isSettled && !isDominant(written, found.filled, found.missing)) {
    return {
      ...counted,
      type: "STRING",
      format: null,
      day: false,
      reading: { ...found.reading, duckType: "VARCHAR" },
      state: "sure",
      sentence: "Kept as text: many values only look like times or numbers.",
      also: [{ type: found.type, format: found.format, label: wayLabel(found.type, found.format), unreadable }],
      readable: found.filled,
      missing: 0,
      isOpen: nothingOpen,
      range: null,
    };
  }
  return { ...counted, state: "mixed" };
}

function decideBoolean(facts: Facts): ColumnDecision | undefined {
  const { counted, filled, missing } = facts;
  const good = sumOf(counted.filter(({ group }) => /^(?:true|false)$/i.test(group.shape)));
  if (!isDominant(good, filled, missing)) return undefined;
  const reading: TextReading = { ...plainText, ...found(facts), duckType: "BOOLEAN" };
  return decision(facts, good, {
    type: "BOOLEAN",
    format: "true/false",
    reading,
    sentence: "True or false.",
    also: [text],
    needsCount: false,
  });
}
