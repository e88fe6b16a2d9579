// One's own password: the old one, and the new one twice.

import { html, useState } from "./nodes.js";
import { post } from "./api.js";
import { Dialog, Done, Field, Problem, useForm } from "./ui.js";
import { capital } from "./words.js";

export function OwnPassword({ name, onClose }) {
  const [done, setDone] = useState(false);
  const form = useForm(async ({ old = "", password = "", again = "" }) => {
    if (password !== again) throw new Error("The new passwords do not match.");
    if (password === old) throw new Error("That is your current password; choose another one.");
    await post(`/api/accounts/${encodeURIComponent(name)}/password`, { old, password });
    setDone(true);
  });
  const field = (id, label, complete, hint) =>
    html`<${Field} label=${label} id=${`own-${id}`} hint=${hint}
      ><input
        id=${`own-${id}`}
        type="password"
        autocomplete=${complete}
        maxlength="200"
        required
        autofocus=${id === "old"}
        aria-describedby=${hint && `own-${id}-hint`}
        ...${form.bind(id)}
    /><//>`;
  return html`<${Dialog} title="Your password" onClose=${onClose}>
    ${
      done
        ? html`<${Done} text="Your password is changed, and your other sessions have ended." />
            <button type="button" class="primary" onClick=${onClose} ref=${(button) => button?.focus()}>Close</button>`
        : html`<form class="own-password" onSubmit=${form.onSubmit}>
            <input type="text" autocomplete="username" value=${name} readonly hidden />
            ${field("old", "Current password", "current-password")}
            ${field("password", "New password", "new-password", "Ten characters or more, without your name.")}
            ${field("again", "New password again", "new-password")}
            <button type="submit" class="primary" disabled=${form.busy}>Change password</button>
            <${Problem} text=${capital(form.problem)} />
          </form>`
    }
  <//>`;
}
