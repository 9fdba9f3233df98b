import { createHash } from "node:crypto";

/** A card of the demo. */
export interface DemoCard {
  /** The identifier that the issuer sends to the portal. */
  readonly number: string;
  readonly title: string;
  readonly holder: string;
}

interface Page {
  readonly html: string;
  readonly policy: string;
}

const style = `
:root { color-scheme: light dark; font: 14px/20px "Inter Variable", Inter, system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f5f6f8, #14171c); color: light-dark(#1c2128, #e8eaee); }
main { width: min(440px, calc(100vw - 48px)); padding: 32px 0; }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.012em; }
p { margin: 0 0 20px; color: light-dark(#525b66, #a8b0bb); }
form { display: grid; gap: 8px; margin: 0 0 20px; }
button, input { font: inherit; color: inherit; box-sizing: border-box; border: 1px solid light-dark(#c3c9d1, #3b424d); border-radius: 6px; background: light-dark(#fff, #1b1f26); }
button { padding: 12px 16px; text-align: left; cursor: pointer; }
button:hover { border-color: light-dark(#1f5fbf, #7db0ff); }
button span { display: block; font-size: 12px; line-height: 16px; color: light-dark(#525b66, #a8b0bb); }
:focus-visible { outline: 2px solid light-dark(#1f5fbf, #7db0ff); outline-offset: 1px; }
label { font-size: 12px; line-height: 16px; font-weight: 500; }
.row { display: grid; grid-template-columns: 1fr auto; gap: 8px; }
input { padding: 8px 12px; min-width: 0; }
::placeholder { color: light-dark(#5f6c7b, #8b98a7); opacity: 1; }
.row button, .plain { padding: 8px 16px; }
.plain { justify-self: start; padding-inline: 0; border-color: transparent; background: none; text-decoration: underline; }
.plain:hover { border-color: transparent; }
`;

const styleHash = createHash("sha256").update(style).digest("base64");

/** The page to choose a card. Its forms redirect to one of `portals`, so the policy must allow them. */
export function cardsPage(cards: readonly DemoCard[], portals: readonly string[]): Page {
  const choices = cards.map(
    ({ number, title, holder }) =>
      `<button name="card" value="${escaped(number)}">${escaped(title)}<span>${escaped(holder)}, no. ${escaped(number)}</span></button>`,
  );
  const body = `
    <h1>Choose a card</h1>
    <p>This demo does not read real cards. The one you choose here is yours.</p>
    <form method="post">${choices.join("")}</form>
    <form method="post">
      <label for="number">Another card</label>
      <span class="row"><input id="number" name="card" pattern="[A-Za-z0-9_\\-]{1,100}" required autocomplete="off" placeholder="Card number"><button>Use</button></span>
    </form>
    <form method="post"><button class="plain" name="card" value="">Cancel</button></form>`;
  return page("Card issuer", body, `form-action 'self' ${portals.join(" ")}`);
}

export function failedPage(reason: string): Page {
  return page("Card issuer", `<h1>The card cannot be read</h1><p>${escaped(reason)}</p>`, "form-action 'none'");
}

function page(title: string, body: string, formPolicy: string): Page {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style>`;
  return {
    html: `<!doctype html><html lang="en"><head>${head}</head><body><main>${body}</main></body></html>`,
    policy: `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; ${formPolicy}`,
  };
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
