import { Fragment } from "react";

/** A name that breaks after underscores rather than within words. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=_)/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
