import { apiBase } from "@fairway/contract/api";
import { IconChevronRight } from "#ui/icons/chevron-right.ts";
import { IconExternalLink } from "#ui/icons/external-link.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "#ui/kit/query-state.tsx";
import { keyCallsQuery } from "./queries.ts";
import classes from "./tools.module.css";

/** An overview of the API, loaded when it is opened. */
export function KeyCalls() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={classes["section"]}>
      <div className={classes["api"]}>
        <h2>
          <button
            type="button"
            className={classes["disclosure"]}
            aria-expanded={isOpen}
            aria-controls={isOpen ? "key-calls" : undefined}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconChevronRight size={16} aria-hidden />
            API calls for API keys
          </button>
        </h2>
        <a href={`${apiBase}/reference`} target="_blank" rel="noreferrer">
          API reference
          <IconExternalLink size={14} aria-hidden />
        </a>
      </div>
      {isOpen && (
        <div id="key-calls">
          <Calls />
        </div>
      )}
    </section>
  );
}

function Calls() {
  return (
    <QueryState query={useQuery(keyCallsQuery)} loading={{ label: "Loading the API" }} failed="Error loading the API.">
      {(data) => (
        <ul className={classes["calls"]} aria-label="Calls for API keys">
          {data.map(({ method, path, summary }) => (
            <li key={`${method} ${path}`}>
              <code>
                <b>{method}</b> {path}
              </code>
              <span>{summary}</span>
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  );
}
