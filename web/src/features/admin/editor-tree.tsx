import { IconChevronDown, IconChevronRight, IconPlus, IconTrash } from "@tabler/icons-react";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Path } from "./editor-schema.ts";
import { keyOf, renamed, type TreeNode, typedText, valueOfTyped, visibleNodes, withAdded, without, withValue } from "./tree-value.ts";
import classes from "./editor.module.css";

interface TreeEditorProps {
  value: unknown;
  onChange: (value: unknown) => void;
  label: string;
}

/** At first the whole and what lies directly in it are open. */
const opened = (value: unknown): ReadonlySet<string> =>
  new Set(
    visibleNodes(value, new Set([keyOf([])]))
      .filter(({ depth, children }) => depth < 2 && (children ?? 99) <= 20)
      .map(({ path }) => keyOf(path)),
  );

/** The JSON as a tree. Arrows move, open and close; Enter goes into a value, Escape comes back, Delete removes. */
export default function TreeEditor({ value, onChange, label }: TreeEditorProps) {
  const [open, setOpen] = useState(() => new Set([keyOf([]), ...opened(value)]));
  const [active, setActive] = useState(keyOf([]));
  const tree = useRef<HTMLDivElement>(null);
  const nodes = visibleNodes(value, open);
  const activeKey = nodes.some(({ path }) => keyOf(path) === active) ? active : keyOf([]);

  const toggle = (path: Path, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(keyOf(path));
    else next.delete(keyOf(path));
    setOpen(next);
  };
  const focus = (path: Path, inside?: "input") => {
    setActive(keyOf(path));
    requestAnimationFrame(() => {
      const node = [...(tree.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])].find(
        ({ dataset }) => dataset["path"] === keyOf(path),
      );
      (inside ? node?.querySelector<HTMLElement>(inside) : node)?.focus();
    });
  };
  const add = (path: Path) => {
    const { whole, added } = withAdded(value, path);
    onChange(whole);
    toggle(path, true);
    focus(added, "input");
  };
  const remove = (path: Path) => {
    onChange(without(value, path));
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
    const to = (at: number): void => {
      const target = nodes[at];
      if (target) focus(target.path);
    };
    const steps: Partial<Record<string, () => void>> = {
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
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };

  return (
    <div role="tree" aria-label={label} className={classes["tree"]} ref={tree}>
      {nodes.map((node, index) => {
        const key = keyOf(node.path);
        const name = node.step === null ? "the whole" : String(node.step);
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
              <span className={classes["twistyGap"]} />
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
              <Typed
                className={classes["name"] ?? ""}
                label={`Name of ${node.step}`}
                text={node.step}
                fit
                onDone={(text) => {
                  onChange(renamed(value, node.path, text));
                  setActive(keyOf([...node.path.slice(0, -1), text]));
                }}
              />
            )}
            {typeof node.step === "number" && <span className={classes["index"]}>{node.step}</span>}
            {node.step !== null && <span aria-hidden>:</span>}
            {node.children === null ? (
              <Typed
                className={classes["value"] ?? ""}
                label={`Value of ${name}`}
                text={typedText(node.value)}
                type={typeof node.value === "string" ? "text" : typeof node.value === "number" ? "number" : "atom"}
                onDone={(text) => onChange(withValue(value, node.path, valueOfTyped(text)))}
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

interface TypedProps {
  label: string;
  text: string;
  className: string;
  type?: "text" | "number" | "atom";
  /** As wide as its text. */
  fit?: true;
  onDone: (text: string) => void;
}

/** A field that changes something when it is left. */
function Typed({ label, text, className, type, fit, onDone }: TypedProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? text;
  const done = () => {
    setTyped(null);
    if (typed !== null && typed !== text) onDone(typed);
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
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={done}
    />
  );
}
