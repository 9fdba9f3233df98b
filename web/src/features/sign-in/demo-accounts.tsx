import { demoPassword } from "@fairway/contract/api";
import { Icon } from "./icons.tsx";
import classes from "./sign-in.module.css";

const accounts = [
  { username: "admin", description: "administers everything" },
  { username: "editor", description: "describes datasets" },
  { username: "developer", description: "can edit flows" },
  { username: "viewer", description: "searches" },
] as const;

/** Lists the demo platform's accounts; a click fills the form. */
export function DemoAccounts({ onChoose }: { onChoose: (username: string) => void }) {
  return (
    <section className={classes["demo"]} aria-label="Demo accounts">
      <p>
        Demo accounts, password <code>{demoPassword}</code>
      </p>
      {accounts.map(({ username, description }) => (
        <button key={username} type="button" onClick={() => onChoose(username)}>
          <Icon name="user" />
          <strong>{username}</strong>
          <span>{description}</span>
        </button>
      ))}
    </section>
  );
}
