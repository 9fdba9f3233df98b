import { Button, TextInput } from "@mantine/core";
import { IconChevronRight } from "#ui/icons/chevron-right.ts";
import { IconLink } from "#ui/icons/link.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { copyText } from "#lib/text/copy.ts";
import { type FaqEntry, faqQuery } from "#parts/help/faq.ts";
import { Markdown } from "#parts/markdown/markdown.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import classes from "./help.module.css";

/** The questions and answers of the help fileset. An address may name one question, which is then open. */
export function FaqPage() {
  const query = useQuery(faqQuery);
  return (
    <>
      <PageHeader title="FAQs" />
      <QueryState query={query} loading={{ label: "Loading questions", rowHeight: 48 }} failed="Error loading FAQ">
        {(data) => <Questions entries={data} />}
      </QueryState>
    </>
  );
}

function Questions({ entries }: { entries: readonly FaqEntry[] }) {
  const { question: linked }: Record<string, unknown> = useSearch({ strict: false });
  const [filter, setFilter] = useState("");
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const [shownLink, setShownLink] = useState<string>();
  if (typeof linked === "string" && linked !== shownLink) {
    setShownLink(linked);
    setFilter("");
    setOpenIds(new Set([...openIds, linked]));
  }
  const shown = entries.filter((entry) => matches(entry, filter));
  const toggle = (id: string) =>
    setOpenIds(openIds.has(id) ? new Set([...openIds].filter((one) => one !== id)) : new Set([...openIds, id]));
  return (
    <div className={classes["page"]}>
      <TextInput
        className={classes["filter"] ?? ""}
        type="search"
        aria-label="Filter questions"
        placeholder="filter questions"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <output className="visually-hidden">{filter.trim() === "" ? "" : `${shown.length} of ${entries.length} questions`}</output>
      {shown.length === 0 ? (
        <EmptyState>{entries.length === 0 ? "There are no questions yet." : "no matching questions found"}</EmptyState>
      ) : (
        <ul className={classes["list"]} aria-label="Questions">
          {shown.map((entry) => (
            <Question
              key={entry.id}
              entry={entry}
              isOpen={openIds.has(entry.id)}
              isLinked={entry.id === shownLink}
              onToggle={() => toggle(entry.id)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Every word of the filter has to occur in the question or its answer. */
function matches({ question, paragraphs }: FaqEntry, filter: string): boolean {
  const text = [question, ...paragraphs].join("\n").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface QuestionProps {
  entry: FaqEntry;
  isOpen: boolean;
  /** The address names this question. */
  isLinked: boolean;
  onToggle: () => void;
}

function Question({ entry: { id, question, paragraphs }, isOpen, isLinked, onToggle }: QuestionProps) {
  const router = useRouter();
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isLinked) item.current?.scrollIntoView({ block: "nearest" });
  }, [isLinked]);
  const answerId = `answer-${id}`;
  const copyLink = async () => {
    const { href } = router.buildLocation({ to: "/FAQ", search: { question: id } });
    if (await copyText(new URL(href, location.href).href)) toastSuccess("Link copied", 2000);
  };
  return (
    <li ref={item} className={classes["question"]}>
      <h2>
        <button type="button" aria-expanded={isOpen} aria-controls={isOpen ? answerId : undefined} onClick={onToggle}>
          <IconChevronRight size={16} aria-hidden />
          {question}
        </button>
      </h2>
      {isOpen && (
        <div id={answerId} className={classes["answer"]}>
          <Markdown text={paragraphs.join("\n\n")} />
          <Button size="compact-sm" variant="subtle" leftSection={<IconLink size={14} aria-hidden />} onClick={() => void copyLink()}>
            Copy link
          </Button>
        </div>
      )}
    </li>
  );
}
