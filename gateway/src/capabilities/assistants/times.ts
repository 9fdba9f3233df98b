import { z } from "zod";

const dayOnly = /^\d{4}-\d{2}-\d{2}$/;
const isoTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const lastMsOfDay = 86_399_999;

/** Epoch milliseconds of an ISO 8601 time, in UTC unless it says otherwise; NaN for any other text. */
export function epochOf(text: string): number {
  if (!isoTime.test(text)) return Number.NaN;
  return Date.parse(dayOnly.test(text) || /(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`);
}

/** The same of the end of a range: a day without a time ends with its last millisecond. */
export const endOf = (text: string): number => (dayOnly.test(text) ? epochOf(text) + lastMsOfDay : epochOf(text));

export const isoOf = (epochMs: number): string => new Date(epochMs).toISOString();

export const moment = z
  .string()
  .refine((text) => !Number.isNaN(epochOf(text)), "is not an ISO 8601 time such as 2024-08-01 or 2024-08-01T12:00:00Z")
  .describe("ISO 8601 in UTC, such as 2024-08-01 or 2024-08-01T12:00:00Z.");
