// @ts-check
// The demo with accounts for `FAIRWAY_BENCH_PEOPLE` people who search.
import { demoPassword } from "@fairway/contract/api";
import { demoPlatform } from "@fairway/demo/platform";
import { runPortal } from "@fairway/gateway/portal/portal-process";
import { openService } from "@fairway/gateway/portal/service";
import { usernameOf } from "./people.mjs";

const people = Number(process.env["FAIRWAY_BENCH_PEOPLE"]);
const { accounts } = demoPlatform;
const users = Array.from({ length: people }, (_, index) => ({
  username: usernameOf(index),
  password: demoPassword,
  firstName: "Person",
  lastName: String(index),
  email: `${usernameOf(index)}@fairway.example`,
  groups: ["Viewers"],
}));
const platform = { ...demoPlatform, accounts: { ...accounts, users: [...accounts.users, ...users] } };
await runPortal({ demo: true, openService: (foundation) => openService(foundation, platform) });
