// The pages that a role has, in the bar: few as links beside each other, many in groups that open; on a phone in one menu.

import { html, useEffect, useReducer, useRef, useState } from "./nodes.js";

const LINKS = {
  tables: "Tables",
  tournaments: "Tournaments",
  inbox: "Inbox",
  dashboard: "Dashboard",
  training: "Training",
  approvals: "Approvals",
  log: "Log",
  ledger: "Ledger",
  reports: "Reports",
  registers: "Registers",
  promotions: "Promotions",
  replay: "Replay",
  accounts: "Accounts",
  patrons: "Patrons",
  limits: "My limits",
  "my-play": "My play",
  audit: "Audit",
  matrix: "Permissions",
};

const SUPERVISOR = ["tables", "inbox", "tournaments", "approvals", "dashboard", "log", "ledger", "reports", "registers", "promotions", "accounts", "patrons", "training", "replay", "matrix"];
const FOR_ROLE = {
  player: ["tables", "tournaments", "promotions", "my-play", "limits", "replay"],
  dealer: ["tables", "tournaments", "promotions", "training", "replay"],
  "gaming-supervisor": SUPERVISOR,
  supervisor: SUPERVISOR,
  "gaming-manager": ["tables", "inbox", "tournaments", "dashboard", "approvals", "log", "ledger", "reports", "registers", "promotions", "accounts", "patrons", "training", "audit", "replay", "matrix"],
  "tournament-manager": ["tournaments", "tables", "replay", "matrix"],
  inspector: ["tables", "inbox", "tournaments", "log", "ledger", "reports", "registers", "promotions", "approvals", "accounts", "patrons", "audit", "replay", "matrix"],
  administrator: ["accounts", "audit", "matrix", "tables"],
};

/** Where there are many pages, each but the first two stands in one of these. */
const GROUPS = [
  ["floor", "Floor", ["tournaments", "dashboard", "promotions", "training"]],
  ["rulings", "Rulings", ["approvals", "log", "replay"]],
  ["books", "Books", ["ledger", "reports", "registers"]],
  ["people", "People", ["accounts", "patrons", "audit", "matrix"]],
];
const MANY = 8;
const ALWAYS = 2; // so many stay in sight on a phone

const phone = matchMedia("(max-width: 640px)");

export const hasPage = (role, page) => Boolean(FOR_ROLE[role]?.includes(page));

/** The menus of a role: each with its sections of pages. */
function menusOf(pages, onPhone) {
  const rest = pages.slice(ALWAYS);
  if (pages.length <= MANY) return onPhone && rest.length > 1 ? [{ id: "menu", label: "Menu", sections: [["", rest]] }] : [];
  const groups = GROUPS.map(([id, label, all]) => [id, label, all.filter((page) => rest.includes(page))]);
  if (onPhone) return [{ id: "menu", label: "Menu", sections: groups.map(([, label, all]) => [label, all]) }];
  return groups.map(([id, label, all]) => ({ id, label, sections: [["", all]] }));
}

/** `badges`: what waits on a page, as a node. */
export function Navigation({ pages, page, badges }) {
  const [, redraw] = useReducer((count) => count + 1, 0);
  const [open, setOpen] = useState("");
  const nav = useRef(null);
  useEffect(() => {
    phone.addEventListener("change", redraw);
    return () => phone.removeEventListener("change", redraw);
  }, []);
  useEffect(() => setOpen(""), [page]);
  useEffect(() => {
    const elsewhere = (event) => nav.current?.contains(event.target) || setOpen("");
    for (const what of ["pointerdown", "focusin"]) addEventListener(what, elsewhere);
    return () => ["pointerdown", "focusin"].forEach((what) => removeEventListener(what, elsewhere));
  }, []);
  const keys = (event) => {
    if (event.key !== "Escape" || !open) return;
    event.preventDefault();
    nav.current.querySelector("[aria-expanded=true]")?.focus();
    setOpen("");
  };
  const menus = menusOf(pages, phone.matches);
  const inMenus = menus.flatMap(({ sections }) => sections.flatMap(([, all]) => all));
  const link = (id) =>
    html`<li key=${id}>
      <a href=${`#/${id}`} aria-current=${id === page ? "page" : undefined} onClick=${() => setOpen("")}>${LINKS[id]}${badges[id]}</a>
    </li>`;
  return html`<nav aria-label="Pages" ref=${nav} onKeyDown=${keys}>
    <ul>
      ${pages.filter((id) => !inMenus.includes(id)).map(link)}
      ${menus.map(({ id, label, sections }) => {
        const all = sections.flatMap(([, some]) => some);
        return html`<li key=${id} class="menu">
          <button
            type="button"
            class=${all.includes(page) ? "here" : ""}
            aria-expanded=${open === id ? "true" : "false"}
            aria-controls=${`pages-${id}`}
            onClick=${() => setOpen(open === id ? "" : id)}
          >
            ${label}${all.map((each) => badges[each])}
          </button>
          <div id=${`pages-${id}`} hidden=${open !== id}>
            ${sections.map(
              ([name, some]) =>
                html`<div key=${name}>
                  ${name && html`<p>${name}</p>`}
                  <ul aria-label=${name || label}>
                    ${some.map(link)}
                  </ul>
                </div>`,
            )}
          </div>
        </li>`;
      })}
    </ul>
  </nav>`;
}

export const pagesOf = (role) => FOR_ROLE[role] || ["tables"];
