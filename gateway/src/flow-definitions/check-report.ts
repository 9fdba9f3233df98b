import { type FlowCheck, type FlowChecks, flowChecksListed } from "@fairway/contract/flow-differences";
import type { ComponentFlow, Flow, FlowComponent } from "./flow-model.ts";
import { refOf } from "./name-component.ts";
import { cut } from "./shown-text.ts";

/** Facts about the NiFi of an environment when it was last asked. */
export interface EnvironmentFacts {
  readonly name: string;
  readonly processorTypes: readonly string[];
  readonly controllerServiceTypes: readonly string[];
  readonly parameterContexts: readonly { readonly name: string; readonly parameters: readonly string[] }[];
  /** Whether it reads templates, as NiFi 1.x does. */
  readonly acceptsTemplates: boolean;
}

type CheckId = FlowCheck["check"];
type Severity = FlowCheck["severity"];

/** A check lists so many findings one by one; the others are counted. */
const findingsListed = 40;
const severities: readonly Severity[] = ["error", "warning", "info", "not-checked", "passed"];

/** Input of every check. */
export interface Checked<Checkable extends Flow = ComponentFlow> {
  readonly flow: Checkable;
  readonly environment: EnvironmentFacts | undefined;
  readonly report: Report;
}

/** Collects findings. */
export class Report {
  readonly #findings: FlowCheck[] = [];
  readonly #total = new Map<CheckId, number>();
  readonly #counts: Record<Severity, number> = { error: 0, warning: 0, info: 0, "not-checked": 0, passed: 0 };

  add(check: CheckId, severity: Severity, sentence: string, at?: { component: FlowComponent; flow: ComponentFlow }): void {
    const total = (this.#total.get(check) ?? 0) + 1;
    this.#total.set(check, total);
    this.#counts[severity] += 1;
    if (total > findingsListed) return;
    this.#findings.push({ check, severity, sentence: cut(sentence, 2_000), component: at ? refOf(at.component, at.flow) : null });
  }

  /** Says that a check found nothing, unless it did. */
  conclude(check: CheckId, sentence: string): void {
    if (!this.#total.has(check)) this.add(check, "passed", sentence);
  }

  finish(): FlowChecks {
    const more = [...this.#total].flatMap(([check, total]): FlowCheck[] => {
      const worst = this.#findings.find((one) => one.check === check)?.severity ?? "info";
      if (total <= findingsListed) return [];
      return [{ check, severity: worst, sentence: unlisted(total - findingsListed), component: null }];
    });
    const checks = [...this.#findings, ...more]
      .toSorted((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity))
      .slice(0, flowChecksListed);
    const { error, warning, info } = this.#counts;
    return { checks, counts: { error, warning, info } };
  }
}

const unlisted = (count: number): string =>
  count === 1 ? "1 more finding of this kind is not listed." : `${count} more findings of this kind are not listed.`;
