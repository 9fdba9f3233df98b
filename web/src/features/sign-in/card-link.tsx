import type { CacConfiguration } from "@fairway/contract/cac";
import { useEffect, useState } from "react";
import { createCardRequest } from "#lib/session/card.ts";
import { logFailure } from "#lib/browser/log.ts";
import classes from "./sign-in.module.css";

interface CardLinkProps {
  cards: CacConfiguration;
  /** Called when the issuer's address cannot be built. */
  onFailed: (error: unknown) => void;
}

/** A link to the card's issuer with a complete address, so it also works when it is opened in a new tab. */
export function CardLink({ cards, onFailed }: CardLinkProps) {
  const [address, setAddress] = useState(cards.authUrl);
  useEffect(() => {
    let isUnmounted = false;
    createCardRequest(cards, "login")
      .then((request) => !isUnmounted && setAddress(request.address))
      .catch((error: unknown) => logFailure("The request to the card issuer cannot be created", error));
    return () => {
      isUnmounted = true;
    };
  }, [cards]);
  // Each click creates a new request, which belongs to this tab.
  const leave = () => createCardRequest(cards, "login").then((request) => request.leave(), onFailed);
  return (
    <a
      href={address}
      className={classes["card"]}
      onClick={(event) => {
        event.preventDefault();
        void leave();
      }}
    >
      CAC Login
    </a>
  );
}
