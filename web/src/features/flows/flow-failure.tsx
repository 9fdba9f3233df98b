import { messagesOf } from "#lib/gateway-error.ts";
import classes from "./flows.module.css";

/** Why saving failed: in a form, until the next attempt. */
export function FlowFailure({ title, advice, error }: { title: string; advice?: string; error: unknown }) {
  return (
    <div role="alert" className={classes["failure"]}>
      <strong>{title}</strong>
      {advice !== undefined && <p>{advice}</p>}
      {messagesOf(error).map((message) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  );
}
