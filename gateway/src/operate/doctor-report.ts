import { version } from "#process/version.ts";
import type { Finding, Level } from "./finding.ts";

const signs: Readonly<Record<Level, string>> = { fine: "ok", note: "note", warning: "WARNING", problem: "PROBLEM" };

const count = (findings: readonly Finding[], level: Level): number => findings.filter((finding) => finding.level === level).length;

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** For people: one paragraph per finding. */
export function reportText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, level, what, why, todo }) => [
    `${signs[level].padEnd(8)} ${check}: ${what}`,
    ...(why === undefined ? [] : [`         Why it matters: ${why}`]),
    ...(todo === undefined ? [] : [`         What to do: ${todo}`]),
  ]);
  const [problems, warnings] = [count(findings, "problem"), count(findings, "warning")];
  return `${lines.join("\n")}\n\n${counted(problems, "problem")}, ${counted(warnings, "warning")}.\n`;
}

/** For programs. Fields may be added, but not changed. */
export function reportJson(findings: readonly Finding[]): string {
  const report = { version, problems: count(findings, "problem"), warnings: count(findings, "warning"), findings };
  return `${JSON.stringify(report, null, 2)}\n`;
}
