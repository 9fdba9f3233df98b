import { type RefObject, useEffect, useState } from "react";
import { type FormProblem, type SectionId, sectionNames, sectionOf } from "./dataset-draft.ts";
import classes from "./dataset-form.module.css";

interface Props {
  sections: readonly SectionId[];
  problems: readonly FormProblem[];
  /** Scrolls the sections. */
  content: RefObject<HTMLDivElement | null>;
}

/** How far below the upper edge a section counts as the one that is read. */
const readingPx = 96;

/** The sections of the form, and which one is in view. */
export function SectionIndex({ sections, problems, content }: Props) {
  const [current, setCurrent] = useState<SectionId | undefined>(sections[0]);
  useEffect(() => {
    const scroller = content.current;
    if (scroller === null) return undefined;
    const find = () => {
      const { top } = scroller.getBoundingClientRect();
      const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2 && scroller.scrollTop > 0;
      const passed = sections.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= top + readingPx);
      setCurrent(isAtEnd ? sections.at(-1) : (passed.at(-1) ?? sections[0]));
    };
    scroller.addEventListener("scroll", find, { passive: true });
    return () => scroller.removeEventListener("scroll", find);
  }, [content, sections]);
  const withProblems = new Set(problems.map(({ path }) => sectionOf(path)));
  return (
    <nav aria-label="Sections" className={classes["index"]}>
      <ul>
        {sections.map((id) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === current ? "location" : undefined}
              data-problem={withProblems.has(id) || undefined}
              onClick={() => {
                const heading = document.getElementById(`${id}-heading`);
                heading?.scrollIntoView({ block: "start" });
                heading?.focus({ preventScroll: true });
              }}
            >
              {sectionNames[id]}
              {withProblems.has(id) && <span className="visually-hidden">, with problems</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
