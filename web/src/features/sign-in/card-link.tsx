import type { CacConfiguration } from "@fairway/contract/cac";
import { useEffect, useState } from "react";
import { createCardRequest } from "#lib/card.ts";
import { logFailure } from "#lib/log.ts";
import classes from "./sign-in.module.css";

interface CardLinkProps {
  cards: CacConfiguration;
  /** Says why one cannot leave for the issuer. */
  onFailed: (error: unknown) => void;
}

/** Leads to the card's issuer. Its address is whole, for those who open it otherwise than by a click. */
export function CardLink({ cards, onFailed }: CardLinkProps) {
  const [address, setAddress] = useState(cards.authUrl);
  useEffect(() => {
    let left = false;
    createCardRequest(cards, "login")
      .then((request) => !left && setAddress(request.address))
      .catch((error: unknown) => logFailure("The issuer of cards cannot be asked", error));
    return () => {
      left = true;
    };
  }, [cards]);
  // Each click asks anew: what it asked for is this tab's.
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
