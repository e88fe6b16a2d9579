// The shell: who is here, which page, and whether the floor can be reached.

import { html, render, useEffect, useReducer, useRef, useState } from "./nodes.js";
import { AccountPage } from "./account.js";
import { AccountsPage, AuditPage, MatrixPage } from "./accounts.js";
import { forgetAll, get, onOut, post, takeKnown, warm } from "./api.js";
import { say, speak } from "./catalogue.js";
import { AnswersToOwn, ApprovalsPage, approvalsOf } from "./approvals.js";
import { DashboardPage } from "./dashboard.js";
import { DisputePage, InboxBadge, InboxPage, useInbox } from "./inbox.js";
import { PastPage } from "./inspect.js";
import { live } from "./live.js";
import { Lobby } from "./lobby.js";
import { LedgerPage } from "./ledger.js";
import { LogPage } from "./log.js";
import { LimitsPage, PatronsPage } from "./patrons.js";
import { OwnPassword } from "./password.js";
import { PromotionsPage } from "./promotions.js";
import { RegistersPage } from "./registers.js";
import { ReplayPage } from "./replay.js";
import { ReportsPage } from "./reports.js";
import { RulesPage } from "./rules.js";
import { Navigation, hasPage, pagesOf } from "./navigation.js";
import { MyPlayPage } from "./summary.js";
import { Preferences } from "./preferences.js";
import { motionOn, onMotion, setMotion } from "./settings.js";
import { TablePage } from "./table.js";
import { TournamentsPage } from "./tournament.js";
import { TrainingPage } from "./training.js";
import { Problem, onePressEach, useGet } from "./ui.js";
import { Welcome } from "./welcome.js";
import { ROLE_NAMES, inChips, inWords } from "./words.js";

/** A part of an address as it is meant, or as it stands where nobody can say what is meant. */
function meant(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function routeOf(hash) {
  const parts = hash.replace(/^#\/?/, "").split("/").map(meant);
  return parts[0] ? parts : [];
}

function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const listen = () => {
      setHash(location.hash);
      scrollTo(0, 0);
      document.getElementById("main")?.focus({ preventScroll: true });
    };
    addEventListener("hashchange", listen);
    return () => removeEventListener("hashchange", listen);
  }, []);
  return routeOf(hash);
}

function Page({ route, me, onDone, inbox }) {
  const [first, second, third, fourth] = route;
  inChips(false); // a tournament's table says otherwise
  if (first === "account" || me.needs?.length) return html`<${AccountPage} me=${me} onDone=${onDone} />`;
  if (first === "table" && second && third === "at")
    return html`<${PastPage} key=${second} id=${second} version=${Number(fourth) || 1} />`;
  if (first === "table" && second) return html`<${TablePage} key=${second} id=${second} me=${me} />`;
  if (first === "rules" && second) return html`<${RulesPage} key=${`${second}/${third}`} id=${second} table=${third} />`;
  if (first === "inbox") return html`<${InboxPage} inbox=${inbox} />`;
  if (first === "disputes" && third) return html`<${DisputePage} key=${`${second}/${third}`} table=${second} player=${third} me=${me} />`;
  if (first === "dashboard") return html`<${DashboardPage} me=${me} />`;
  if (first === "replay") return html`<${ReplayPage} key=${`${second}/${third}`} table=${second} round=${third} />`;
  if (first === "log") return html`<${LogPage} me=${me} />`;
  if (first === "ledger") return html`<${LedgerPage} />`;
  if (first === "reports") return html`<${ReportsPage} me=${me} />`;
  if (first === "registers") return html`<${RegistersPage} key=${second} me=${me} name=${second} />`;
  if (first === "tournaments") return html`<${TournamentsPage} key=${`${second}/${third}`} me=${me} name=${second} more=${third} />`;
  if (first === "promotions") return html`<${PromotionsPage} me=${me} name=${second} />`;
  if (first === "training") return html`<${TrainingPage} me=${me} />`;
  if (first === "approvals") return html`<${ApprovalsPage} me=${me} />`;
  if (first === "accounts") return html`<${AccountsPage} me=${me} />`;
  if (first === "patrons") return html`<${PatronsPage} me=${me} name=${second} />`;
  if (first === "limits") return html`<${LimitsPage} me=${me} />`;
  if (first === "my-play") return html`<${MyPlayPage} me=${me} />`;
  if (first === "audit") return html`<${AuditPage} />`;
  if (first === "matrix") return html`<${MatrixPage} />`;
  if (!first && me.role === "administrator") return html`<${AccountsPage} me=${me} />`;
  return html`<${Lobby} me=${me} />`;
}

function Banner() {
  const [, redraw] = useReducer((count) => count + 1, 0);
  useEffect(() => live.onStatus(redraw), []);
  if (live.status !== "lost") return null;
  return html`<div class="banner" role="alert">
    <p>
      ${live.text || "The connection to the floor is lost; nothing you see changes until it is back."} Trying again…
    </p>
    <button type="button" onClick=${() => live.retryNow()}>Try now</button>
  </div>`;
}

function Waiting({ proposals }) {
  const count = approvalsOf(proposals).filter((item) => item.yours).length;
  return count ? html`<span class="badge" aria-label=${`${count} waiting for you`}>${count}</span>` : null;
}

function Bar({ me, route, proposals, inbox, onLeave }) {
  const [, redraw] = useReducer((count) => count + 1, 0);
  const [changing, setChanging] = useState(false); // one's own password
  const [setting, setSetting] = useState(false);
  useEffect(() => onMotion(redraw), []);
  const pages = me.needs?.length ? [] : pagesOf(me.role);
  const badges = { approvals: html`<${Waiting} proposals=${proposals} />`, inbox: html`<${InboxBadge} inbox=${inbox} />` };
  return html`<header class="bar">
    <a class="brand" href="#/"
      ><svg viewBox="0 0 32 32" aria-hidden="true">
        <path
          d="M16 3c3.6 6 10.5 9 10.5 14.8a5 5 0 0 1-9.1 3q.5 3 2.7 5.2h-8.2q2.2-2.2 2.7-5.2a5 5 0 0 1-9.1-3C5.5 12 12.4 9 16 3z"
        /></svg
      >Pitboss</a
    >
    <${Navigation} pages=${pages} page=${route[0] || (me.role === "administrator" ? "accounts" : "tables")} badges=${badges} />
    <div class="bar-end">
      <button
        type="button"
        class="quiet motion-switch"
        aria-pressed=${motionOn() ? "true" : "false"}
        onClick=${() => setMotion(!motionOn())}
      >
        Motion ${motionOn() ? "on" : "off"}
      </button>
      <button type="button" class="quiet" aria-haspopup="dialog" onClick=${() => setSetting(true)}>Settings</button>
      <span class="who-am-i"><a href="#/account" aria-label=${`${me.name}, your account`}><b>${me.name}</b></a> <span class="role">${ROLE_NAMES[me.role] || me.role}</span></span>
      ${!me.guest && html`<button type="button" class="quiet" aria-haspopup="dialog" onClick=${() => setChanging(true)}>Password</button>`}
      <button type="button" class="quiet" onClick=${onLeave}>Log out</button>
    </div>
    ${setting && html`<${Preferences} onClose=${() => setSetting(false)} />`}
    ${changing && html`<${OwnPassword} name=${me.name} onClose=${() => setChanging(false)} />`}
  </header>`;
}

const HERE = "pitboss-here";

/** Whether somebody was logged in when this browser was last here; who does not let us know is asked as always. */
const wasHere = () => {
  try {
    return localStorage.getItem(HERE) === "yes";
  } catch {
    return false;
  }
};
const rememberHere = (here) => {
  try {
    localStorage.setItem(HERE, here ? "yes" : "no");
  } catch {
    // private windows may not keep anything
  }
};

const OVER = "Your session is over; log in again.";

/** Who is logged in, or null; asked where nobody is no error. */
const whoAmI = async () => (await get("/api/setup")).me ?? null;

function App() {
  const route = useRoute();
  const [me, setMe] = useState(undefined);
  const [problem, setProblem] = useState("");
  const [over, setOver] = useState(""); // why somebody who was here is at the door again
  const here = useRef(null); // who the page takes to be logged in
  const take = (found) => {
    rememberHere(Boolean(found));
    here.current = found;
    setMe(found);
  };
  const look = async () => {
    try {
      const found = await whoAmI();
      live.come(found?.needs?.length ? "" : found?.name || "");
      take(found);
      setProblem("");
      if (found) setOver("");
    } catch (error) {
      setProblem(error.message);
    }
  };
  /** The session has ended without a log-out on this page: nothing is asked any more, and the door says why. */
  const end = () => {
    if (!here.current) return;
    take(null);
    live.close();
    forgetAll();
    setOver(OVER);
  };
  /** Somebody else has logged in with this browser: nothing of whoever was here is shown or done in the new one's name. */
  const change = (found) => {
    live.close();
    forgetAll();
    live.come(found.name);
    take(found);
  };
  /** A socket that is closed or cannot be opened may be one of somebody whose session is over. */
  const stillIn = async () => {
    try {
      const found = await whoAmI();
      if (!found) end();
      else if (here.current && (found.name !== here.current.name || found.role !== here.current.role)) change(found);
    } catch {
      // the floor cannot be reached: the banner says so
    }
  };
  useEffect(() => {
    look();
    const silence = onOut(end);
    const unlisten = live.onStatus((status) => ["out", "lost"].includes(status) && stillIn());
    return () => {
      silence();
      unlisten();
    };
  }, []);
  const come = async (to) => {
    forgetAll();
    await look();
    location.hash = to || location.hash || "#/";
  };
  const leave = async () => {
    here.current = null; // what is still being asked may say that nobody is logged in
    live.close();
    await post("/api/logout").catch(() => {});
    forgetAll();
    location.hash = "#/";
    await look();
  };
  if (problem)
    return html`<main id="main" class="page">
      <${Problem} text=${problem} /><button type="button" onClick=${look}>Try again</button>
    </main>`;
  if (me === undefined) return html`<main id="main" tabindex="-1"><p class="empty" role="status">Opening the floor…</p></main>`;
  if (me === null)
    return html`<main id="main" tabindex="-1">
      ${!over && ["rules", "replay"].includes(route[0]) ? html`<${Page} route=${route} me=${{ role: "player", name: "" }} />` : html`<${Welcome} onCome=${come} over=${over} />`}
    </main>`;
  return html`<${Shell} key=${`${me.name} ${me.role}`} me=${me} route=${route} onLeave=${leave} onDone=${look} />`;
}

/** Whoever left a table before their act was answered hears it wherever they are, unless it was done. */
function AnswersElsewhere() {
  const [told, setTold] = useState([]);
  useEffect(() => live.onElsewhere((news) => setTold((old) => [...old, news].slice(-5))), []);
  return told.map(
    ({ id, text }) =>
      html`<div key=${id} class="own-answer" role="alert">
        <p>${inWords(text)}</p>
        <button type="button" class="quiet" aria-label="Dismiss" onClick=${() => setTold(told.filter((each) => each.id !== id))}>✕</button>
      </div>`,
  );
}

/** Whoever is logged in has the bar, what became of their proposals, and the page. */
function Shell({ me, route, onLeave, onDone }) {
  const { data: proposals } = useGet(!me.needs?.length && hasPage(me.role, "approvals") ? "/api/approvals" : null, { every: 5000 });
  const inbox = useInbox(me.needs?.length ? "" : me.role);
  return html`<${Bar} me=${me} route=${route} proposals=${proposals} inbox=${inbox} onLeave=${onLeave} />
    <${Banner} />
    <${AnswersToOwn} me=${me} proposals=${proposals} />
    <${AnswersElsewhere} />
    <main id="main" tabindex="-1"><${Page} route=${route} me=${me} onDone=${onDone} inbox=${inbox} /></main>`;
}

/** The address names the page, so the link past the bar does not go into it. */
const skip = document.querySelector(".skip");
skip.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main")?.focus();
});

/** Whoever was here lately is asked for and shown the tables at once, and a table's line is opened meanwhile. */
function ahead() {
  if (!wasHere()) return;
  if (/^(#\/?(tables)?)?$/.test(location.hash)) for (const path of ["/api/tables", "/api/rulebooks"]) warm(path);
  else if (location.hash.startsWith("#/table/")) live.connect(true);
}

takeKnown();
ahead();
await speak();
skip.textContent = say("Skip to the table");
onePressEach();
const place = document.getElementById("app");
place.textContent = "";
render(html`<${App} />`, place);
