// @ts-check
// The platform of the measured portal: the demo platform, the large datasets, and accounts for a crowd.
import { demoPassword } from "@fairway/contract/api";
import { demoPlatform } from "@fairway/demo/platform";
import { fleet } from "./fleet.mjs";
import { measurements, positions } from "./positions.mjs";
import { wide } from "./wide.mjs";

export const crowd = Array.from({ length: 64 }, (_, index) => `reader-${index + 1}`);

export const benchPlatform = {
  categories: [...demoPlatform.categories, measurements],
  datasets: [...demoPlatform.datasets, positions, wide, fleet],
  accounts: {
    ...demoPlatform.accounts,
    users: [
      ...demoPlatform.accounts.users,
      ...crowd.map((username) => ({
        username,
        password: demoPassword,
        firstName: "Reader",
        lastName: username,
        email: `${username}@fairway.example`,
        groups: ["Viewers"],
      })),
    ],
  },
};
