import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronRight } from "#ui/icons/chevron-right.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Path } from "./editor-schema.ts";
import {
  pathKey,
  withRenamedField,
  type TreeNode,
  typedText,
  parseTyped,
  visibleNodes,
  withAdded,
  withoutPath,
  withValue,
} from "./tree-value.ts";
import classes from "./editor.module.css";

interface TreeEditorProps {
  value: unknown;
  onChange: (value: unknown) => void;
  label: string;
}

/** Initially, the root and its direct children are open. */
const initiallyOpen = (value: unknown): ReadonlySet<string> =>
  new Set(
    visibleNodes(value, new Set([pathKey([])]))
      .filter(({ depth, children }) => depth < 2 && (children ?? 99) <= 20)
      .map(({ path }) => pathKey(path)),
  );

/** Edits JSON as a tree. Arrow keys move, open and close; Enter edits a value, Escape leaves it, Delete removes it. */
export default function TreeEditor({ value, onChange, label }: TreeEditorProps) {
  const [open, setOpen] = useState(() => new Set([pathKey([]), ...initiallyOpen(value)]));
  const [active, setActive] = useState(pathKey([]));
  const tree = useRef<HTMLDivElement>(null);
  const nodes = visibleNodes(value, open);
  const activeKey = nodes.some(({ path }) => pathKey(path) === active) ? active : pathKey([]);

  const toggle = (path: Path, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(pathKey(path));
    else next.delete(pathKey(path));
    setOpen(next);
  };
  const focus = (path: Path, inside?: "input") => {
    setActive(pathKey(path));
    requestAnimationFrame(() => {
      const node = [...(tree.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])].find(
        ({ dataset }) => dataset["path"] === pathKey(path),
      );
      (inside ? node?.querySelector<HTMLElement>(inside) : node)?.focus();
    });
  };
  const add = (path: Path) => {
    const { root, added } = withAdded(value, path);
    onChange(root);
    toggle(path, true);
    focus(added, "input");
  };
  const remove = (path: Path) => {
    onChange(withoutPath(value, path));
    focus(path.slice(0, -1));
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, node: TreeNode, index: number) => {
    if (event.target !== event.currentTarget) {
      if (event.key !== "Escape" && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      event.currentTarget.focus();
      return;
    }
    const to = (targetIndex: number): void => {
      const target = nodes[targetIndex];
      if (target) focus(target.path);
    };
    const handlers: Partial<Record<string, () => void>> = {
      ArrowDown: () => to(index + 1),
      ArrowUp: () => to(index - 1),
      Home: () => to(0),
      End: () => to(nodes.length - 1),
      ArrowRight: () => (node.children !== null && !node.isOpen ? toggle(node.path, true) : to(index + 1)),
      ArrowLeft: () => (node.isOpen ? toggle(node.path, false) : focus(node.path.slice(0, -1))),
      Enter: () =>
        node.children === null ? event.currentTarget.querySelector<HTMLElement>("[data-value]")?.focus() : toggle(node.path, !node.isOpen),
      Delete: () => node.path.length > 0 && remove(node.path),
    };
    const handler = handlers[event.key];
    if (!handler) return;
    event.preventDefault();
    handler();
  };

  return (
    <div role="tree" aria-label={label} className={classes["tree"]} ref={tree}>
      {nodes.map((node, index) => {
        const key = pathKey(node.path);
        const name = node.step === null ? "the document" : String(node.step);
        return (
          <div
            key={key}
            role="treeitem"
            aria-level={node.depth + 1}
            aria-posinset={node.position}
            aria-setsize={node.siblings}
            aria-selected={key === activeKey}
            {...(node.children === null ? {} : { "aria-expanded": node.isOpen })}
            data-path={key}
            tabIndex={key === activeKey ? 0 : -1}
            className={classes["node"]}
            style={{ paddingLeft: 8 + node.depth * 20 }}
            onFocus={() => setActive(key)}
            onKeyDown={(event) => onKeyDown(event, node, index)}
          >
            {node.children === null ? (
              <span className={classes["toggleSpacer"]} />
            ) : (
              <button
                type="button"
                tabIndex={-1}
                aria-label={`${node.isOpen ? "Close" : "Open"} ${name}`}
                onClick={() => toggle(node.path, !node.isOpen)}
              >
                {node.isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
              </button>
            )}
            {typeof node.step === "string" && (
              <CommittedInput
                className={classes["name"] ?? ""}
                label={`Name of ${node.step}`}
                text={node.step}
                fit
                onDone={(text) => {
                  onChange(withRenamedField(value, node.path, text));
                  setActive(pathKey([...node.path.slice(0, -1), text]));
                }}
              />
            )}
            {typeof node.step === "number" && <span className={classes["index"]}>{node.step}</span>}
            {node.step !== null && <span aria-hidden>:</span>}
            {node.children === null ? (
              <CommittedInput
                className={classes["value"] ?? ""}
                label={`Value of ${name}`}
                text={typedText(node.value)}
                type={typeof node.value === "string" ? "text" : typeof node.value === "number" ? "number" : "atom"}
                onDone={(text) => onChange(withValue(value, node.path, parseTyped(text)))}
              />
            ) : (
              <span className={`${classes["count"]} ${classes["value"]}`}>
                {Array.isArray(node.value) ? `[${node.children}]` : `{${node.children}}`}
              </span>
            )}
            {node.children !== null && (
              <button type="button" tabIndex={-1} aria-label={`Add to ${name}`} title="Add" onClick={() => add(node.path)}>
                <IconPlus size={14} aria-hidden />
              </button>
            )}
            {node.step !== null && (
              <button type="button" tabIndex={-1} aria-label={`Remove ${name}`} title="Remove" onClick={() => remove(node.path)}>
                <IconTrash size={14} aria-hidden />
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}

interface CommittedInputProps {
  label: string;
  text: string;
  className: string;
  type?: "text" | "number" | "atom";
  /** Sizes the input to its text. */
  fit?: true;
  onDone: (text: string) => void;
}

/** An input that commits its text on blur. */
function CommittedInput({ label, text, className, type, fit, onDone }: CommittedInputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const shown = draft ?? text;
  const commit = () => {
    setDraft(null);
    if (draft !== null && draft !== text) onDone(draft);
  };
  return (
    <input
      aria-label={label}
      className={className}
      data-type={type}
      {...(type ? { "data-value": "" } : {})}
      tabIndex={-1}
      spellCheck={false}
      value={shown}
      {...(fit ? { style: { width: `calc(${Math.max(2, shown.length)}ch + 10px)` } } : {})}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={commit}
    />
  );
}
