/** A question of `confirm`. */
export interface Question {
  title: string;
  text: string;
  confirmLabel: string;
  /** Rose button, for what cannot be undone. */
  destructive?: boolean;
}

export interface Asked extends Question {
  answer: (yes: boolean) => void;
}
