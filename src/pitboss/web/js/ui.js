// Small pieces that every page uses.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./nodes.js";
import { get, once } from "./api.js";
import { say } from "./catalogue.js";
import { capital } from "./words.js";

const AGAIN_MS = 3000; // so long after the floor could not be reached it is asked again
const NOTHING = { data: null, error: "", loading: true };

/** What a GET answers: { data, error, loading, again }; asked again when `anew` changes, and while the floor cannot be
 *  reached. Who is not answered yet does not ask once more: answers cannot overtake each other. What another path has
 *  answered is not shown for this one, unless it `stays` until there is something else. */
export function useGet(path, { keep = false, every = 0, anew = 0, stays = false } = {}) {
  const [state, setState] = useState(NOTHING);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!path) return undefined;
    let gone = false;
    let timer = 0;
    const later = (wait) => !gone && wait && (timer = setTimeout(() => (document.hidden ? later(wait) : ask()), wait));
    const ask = () =>
      (keep ? once(path) : get(path)).then(
        (data) => {
          if (!gone) setState({ path, data, error: "", loading: false });
          later(every);
        },
        ({ message: error, status }) => {
          if (!gone)
            setState((before) => ({ path, data: before.path === path ? before.data : null, error, status, loading: false }));
          if (status !== 401) later(every || (status === 0 && AGAIN_MS)); // whoever is not logged in does not go on asking
        },
      );
    ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [path, tries, anew]);
  const shown = stays || !path || state.path === path ? state : NOTHING;
  return { ...shown, again: () => setTries((count) => count + 1) };
}

/** `[busy, once]`: while what somebody began is on its way, they do not begin it a second time. */
export function useOnce() {
  const [busy, setBusy] = useState(false);
  const once = async (begin) => {
    if (busy) return undefined;
    setBusy(true);
    try {
      return await begin();
    } finally {
      setBusy(false);
    }
  };
  return [busy, once];
}

const PRESSED = "button, a, summary";

/** One press is one act: the second half of a double click, or a key that is held down, is not for what has come to where
 *  the pressed thing was. */
export function onePressEach() {
  let clicked = null;
  let held = null;
  const click = (event) => {
    const at = event.target.closest(PRESSED);
    if (event.detail < 2) clicked = at;
    if (!at || at === clicked) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const key = (event) => {
    if (!event.repeat) held = event.target;
    else if (event.key === "Enter" && event.target !== held) event.preventDefault();
  };
  addEventListener("click", click, true);
  addEventListener("keydown", key, true);
}

export function Problem({ text }) {
  return text ? html`<p class="problem" role="alert">${capital(text)}</p>` : null;
}

export function Done({ text }) {
  return text ? html`<p class="done" role="status">${text}</p>` : null;
}

export function Empty({ children }) {
  return html`<p class="empty">${children}</p>`;
}

export function Field({ label, hint, children, id }) {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${children} ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
  </div>`;
}

export function Check({ label, checked, onChange, disabled = false }) {
  return html`<label class="check"
    ><input type="checkbox" checked=${checked} disabled=${disabled} onChange=${onChange} /> ${label}</label
  >`;
}

/** One message at a time: what went wrong, or else what was done. */
export function Outcome({ problem, done }) {
  return problem ? html`<${Problem} text=${problem} />` : html`<${Done} text=${done} />`;
}

/** One more, or one fewer. */
export const toggled = (list, each) => (list.includes(each) ? list.filter((other) => other !== each) : [...list, each]);

/** A form that sends its fields: what was wrong is one sentence. */
export function useForm(submit) {
  const [values, setValues] = useState({});
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  return {
    problem,
    busy,
    values,
    bind: (name, start = "") => ({
      value: values[name] ?? start,
      onInput: (event) => setValues({ ...values, [name]: event.target.value }),
    }),
    onSubmit: async (event) => {
      event.preventDefault();
      setProblem("");
      setBusy(true);
      try {
        await submit(values);
      } catch (error) {
        setProblem(error.message);
      }
      setBusy(false);
    },
  };
}

/** A dialog that keeps the keyboard inside and gives it back when closed. */
export function Dialog({ title, onClose, children, wide }) {
  const ref = useRef(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog.open) dialog.showModal();
    return () => dialog.open && dialog.close();
  }, []);
  return html`<dialog
    ref=${ref}
    class=${wide ? "wide" : ""}
    aria-labelledby="dialog-title"
    onClose=${onClose}
    onClick=${(event) => event.target === ref.current && onClose()}
  >
    <header class="dialog-head">
      <h2 id="dialog-title">${title}</h2>
      <button type="button" class="quiet" onClick=${onClose} aria-label="Close">✕</button>
    </header>
    <div class="dialog-body">${children}</div>
  </dialog>`;
}

/** Tabs with arrow keys. `tabs`: [{ id, label, body }] */
export function Tabs({ tabs, label, chosen, onChoose }) {
  const current = tabs.find((tab) => tab.id === chosen) || tabs[0];
  const keys = (event) => {
    const at = tabs.indexOf(current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    onChoose(tab.id);
    event.currentTarget.querySelector(`#tab-${tab.id}`)?.focus();
  };
  return html`<div class="tabs">
    <div class="tab-list" role="tablist" aria-label=${label} onKeyDown=${keys}>
      ${tabs.map(
        (tab) =>
          html`<button
            type="button"
            key=${tab.id}
            id=${`tab-${tab.id}`}
            role="tab"
            aria-selected=${tab === current ? "true" : "false"}
            aria-controls=${`panel-${tab.id}`}
            tabindex=${tab === current ? 0 : -1}
            onClick=${() => onChoose(tab.id)}
          >
            ${tab.label}
          </button>`,
      )}
    </div>
    <div
      class="tab-panel"
      id=${`panel-${current.id}`}
      role="tabpanel"
      tabindex="0"
      aria-labelledby=${`tab-${current.id}`}
      key=${current.id}
    >
      ${current.body}
    </div>
  </div>`;
}

export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${say(title)} · Pitboss` : "Pitboss";
  }, [title]);
}

/** Keys for the whole page, silent while somebody types; they count as soon as what they are for is in sight, and once a
 *  press, unless they are made to be `held` down. */
export function useKeys(handler, { held = false } = {}) {
  const kept = useRef(handler);
  kept.current = handler;
  useLayoutEffect(() => {
    const listen = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.repeat && !held) return;
      if (event.target.closest("input, select, textarea, dialog, [role=tablist]")) return;
      kept.current(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

/** A value once it has not changed for a moment: whoever types is not asked for with every letter. */
export function useSettled(value, ms = 250) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return undefined;
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

export function useTick(ms, on = true) {
  const [, set] = useState(0);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setInterval(() => set((count) => count + 1), ms);
    return () => clearInterval(timer);
  }, [ms, on]);
}

/** An amount of money as people write it, "1,000.50" or "$25", in cents; whatever could mean something else is NaN. */
export const cents = (text) => {
  const said = /^([-−]?)\$?\s*(\d+|\d{1,3}(?:[, ]\d{3})+|(?=\.\d))(?:\.(\d{0,2}))?$/.exec(String(text).trim());
  if (!said) return NaN;
  const [, sign, whole, part = ""] = said;
  const value = Number(whole.replace(/[, ]/g, "") || 0) * 100 + Number(part.padEnd(2, "0"));
  return sign && value ? -value : value;
};
