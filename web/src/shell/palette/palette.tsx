import { plural } from "@fairway/contract/counts";
import { Kbd, Modal } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import { closeOverlay, useOverlay } from "../frame/overlays.ts";
import { matchItems, splitLabel } from "./palette-match.ts";
import classes from "./palette.module.css";
import { type PaletteAction, usePaletteItems } from "./use-palette-items.ts";

const maxPerGroup = { idle: 5, typed: 12 };
const pageStep = 8;
const content = { content: classes["content"] ?? "" };

/** Search everything: datasets, boards, recent searches, screens and actions, by name. */
export default function Palette({ opened }: { opened: boolean }) {
  const close = () => {
    if (useOverlay.getState().overlay === "palette") closeOverlay();
  };
  // Resets the state even if the palette is reopened while it fades out.
  const [openings, setOpenings] = useState(0);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setOpenings(openings + 1);
  }
  return (
    <Modal.Root {...useDialog({ opened, onClose: close, zIndex: 320 })} size={560} yOffset="12vh" centered={false} classNames={content}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search everything">
        <PaletteBody key={openings} onClose={close} />
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState("");
  const [activeIndex, setActiveIndex] = useState(0);
  const listId = useId();
  const { items, datasetsFailed } = usePaletteItems();
  const groups = matchItems(items, query, query.trim() === "" ? maxPerGroup.idle : maxPerGroup.typed);
  const shown = groups.flatMap((group) => group.items);
  const current = Math.min(activeIndex, shown.length - 1);
  const optionId = (item: PaletteAction | undefined) => (item ? `${listId}-${shown.indexOf(item)}` : undefined);
  const activeId = optionId(shown[current]);

  useEffect(() => {
    if (activeId !== undefined) document.querySelector(`#${CSS.escape(activeId)}`)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  // Closes first, so that the dialog restores the focus before the action moves it.
  function choose(item: PaletteAction | undefined): void {
    if (!item) return;
    onClose();
    item.run();
  }

  function handleKeyDown(event: KeyboardEvent): void {
    const targets: Record<string, number> = {
      ArrowDown: current + 1 >= shown.length ? 0 : current + 1,
      ArrowUp: current <= 0 ? shown.length - 1 : current - 1,
      PageDown: Math.min(current + pageStep, shown.length - 1),
      PageUp: Math.max(current - pageStep, 0),
    };
    const next = targets[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setActiveIndex(next);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(shown[current]);
    }
  }

  return (
    <>
      <div className={classes["field"]}>
        <IconSearch size={16} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label="Search everything"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          placeholder="Search datasets, boards, searches, screens and actions"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActiveIndex(0);
          }}
          onKeyDown={handleKeyDown}
        />
        <Kbd>Esc</Kbd>
      </div>
      <div id={listId} role="listbox" aria-label="Results" className={classes["list"]}>
        {groups.map((group) => (
          <div key={group.name} role="group" aria-label={group.name} className={classes["group"]}>
            <span aria-hidden>{group.name}</span>
            {group.items.map((item) => (
              // The combobox handles the keys; the focus never leaves the field.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- WAI-ARIA combobox with a listbox
              <div
                key={item.id}
                id={optionId(item)}
                role="option"
                aria-selected={item === shown[current]}
                className={classes["option"]}
                onMouseMove={() => setActiveIndex(shown.indexOf(item))}
                onClick={() => choose(item)}
              >
                <item.icon size={16} aria-hidden />
                <span className={classes["label"]}>
                  {splitLabel(item.label, query).map(({ text, isMatch }, index) =>
                    // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other identity
                    isMatch ? <b key={index}>{text}</b> : <span key={index}>{text}</span>,
                  )}
                </span>
                {item.detail !== undefined && <small>{item.detail}</small>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className={classes["none"]}>No matches. Try a shorter search.</p>}
      {datasetsFailed && <p className={classes["none"]}>The datasets could not be loaded. Everything else can be found.</p>}
      <output className="visually-hidden">{`${shown.length} ${plural(shown.length, "result")}`}</output>
      <div className={classes["keys"]} aria-hidden>
        <span>
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd> move
        </span>
        <span>
          <Kbd>Enter</Kbd> open
        </span>
      </div>
    </>
  );
}
