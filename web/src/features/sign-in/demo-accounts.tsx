import { demoPassword } from "@fairway/contract/api";
import { Icon } from "./icons.tsx";
import classes from "./sign-in.module.css";

const accounts = [
  { username: "admin", what: "administers everything" },
  { username: "editor", what: "describes datasets" },
  { username: "developer", what: "changes flows" },
  { username: "viewer", what: "searches" },
] as const;

/** On the demo platform only: who may sign in here, and a click that fills the form. */
export function DemoAccounts({ onChoose }: { onChoose: (username: string) => void }) {
  return (
    <section className={classes["demo"]} aria-label="Demo accounts">
      <p>
        Demo accounts, password <code>{demoPassword}</code>
      </p>
      {accounts.map(({ username, what }) => (
        <button key={username} type="button" onClick={() => onChoose(username)}>
          <Icon name="user" />
          <strong>{username}</strong>
          <span>{what}</span>
        </button>
      ))}
    </section>
  );
}
