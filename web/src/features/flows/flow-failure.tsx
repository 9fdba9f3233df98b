import type { ErrorCode } from "@fairway/contract/errors";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import classes from "./flows.module.css";

interface Props {
  title: string;
  /** Recommended action, and the refusals that it explains already, which are not repeated. */
  advice?: { text: string; explains: ErrorCode };
  error: unknown;
}

/** Why saving failed: in a form, until the next attempt. */
export function FlowFailure({ title, advice, error }: Props) {
  const isExplained =
    error instanceof GatewayError && error.errors.length > 0 && error.errors.every(({ code }) => code === advice?.explains);
  return (
    <div role="alert" className={classes["failure"]}>
      <strong>{title}</strong>
      {advice !== undefined && <p>{advice.text}</p>}
      {!isExplained && messagesOf(error).map((message) => <p key={message}>{message}</p>)}
    </div>
  );
}
