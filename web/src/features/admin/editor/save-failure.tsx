import classes from "./editor.module.css";

/** Why a save failed. Shown until the next attempt. */
export function SaveFailure({ failure }: { failure: { title: string; messages: readonly string[] } | null }) {
  return (
    failure && (
      <div role="alert" className={classes["failure"]}>
        <strong>{failure.title}</strong>
        {failure.messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    )
  );
}
