import { IconChevronRight } from "#ui/icons/chevron-right.ts";
import { Fragment } from "react";
import classes from "./file-browser.module.css";

interface Props {
  fileset: string;
  /** The topmost folder that can be reached; empty for the root. */
  root: string;
  path: string;
  onOpen: (path: string) => void;
}

/** The folders above the current one, each of which can be opened. */
export function Breadcrumb({ fileset, root, path, onOpen }: Props) {
  const folders = path === root ? [] : path.slice(root === "" ? 0 : root.length + 1).split("/");
  const top = root === "" ? fileset : `${fileset}/${root}`;
  const levels = [
    { name: top, path: root },
    ...folders.map((name, index) => ({ name, path: [...(root === "" ? [] : [root]), ...folders.slice(0, index + 1)].join("/") })),
  ];
  return (
    <nav key={path} ref={showEnd} aria-label="Path" className={classes["crumbs"]}>
      {levels.map((level, index) => (
        <Fragment key={level.path}>
          {index > 0 && <IconChevronRight size={12} aria-hidden />}
          {level.path === path ? (
            <span aria-current="page">{level.name}</span>
          ) : (
            <button type="button" onClick={() => onOpen(level.path)}>
              {level.name}
            </button>
          )}
        </Fragment>
      ))}
    </nav>
  );
}

/** The current folder comes last, and matters most where there is no room for all. */
function showEnd(nav: HTMLElement | null): void {
  if (nav) nav.scrollLeft = nav.scrollWidth;
}
