// One's own account: where one is logged in, and with what besides a password.

import { html, useState } from "./nodes.js";
import { post } from "./api.js";
import { when } from "./log.js";
import { canHavePasskeys, makePasskey } from "./passkeys.js";
import { OwnPassword } from "./password.js";
import { Dialog, Empty, Field, Outcome, Problem, useForm, useGet, useTitle } from "./ui.js";
import { capital } from "./words.js";

const NEEDS = {
  password: "Somebody else set your password. Change it to continue.",
  factor: "An administrator who logs in from another machine needs an authenticator or a passkey. Add one to continue.",
};

/** `onDone`: what had to be done first may be done by now. */
export function AccountPage({ me, onDone }) {
  useTitle("Your account");
  const { data, error, again } = useGet("/api/me/account");
  const [asking, setAsking] = useState(null); // [which dialog, of what]
  const [outcome, setOutcome] = useState({});
  const close = async (text) => {
    setAsking(null);
    setOutcome({ done: text });
    again();
    await onDone?.();
  };
  const end = async (handle) => {
    try {
      await post("/api/me/sessions/end", handle ? { handle } : {});
      await close("The session has ended.");
    } catch (failed) {
      setOutcome({ problem: failed.message });
    }
  };
  const [dialog, about] = asking || [];
  const needs = data?.needs || me.needs || [];
  const others = (data?.sessions || []).filter((each) => !each.this);
  return html`<div class="page">
    <h1>Your account</h1>
    ${needs.map((need) => html`<p key=${need} class="problem" role="alert">${NEEDS[need] || need}</p>`)}
    <${Outcome} problem=${error || outcome.problem} done=${typeof outcome.done === "string" ? outcome.done : ""} />
    ${
      data &&
      !data.guest &&
      html`<section aria-labelledby="own-ways">
        <h2 id="own-ways">How you log in</h2>
        <div class="buttons">
          <button type="button" aria-haspopup="dialog" onClick=${() => setAsking(["password"])}>Change the password</button>
          ${
            data.authenticator
              ? html`<button type="button" aria-haspopup="dialog" onClick=${() => setAsking(["no-authenticator"])}>Remove the authenticator</button>`
              : html`<button type="button" aria-haspopup="dialog" onClick=${() => setAsking(["authenticator"])}>Add an authenticator</button>`
          }
          ${data.can_have_passkeys && canHavePasskeys() && html`<button type="button" aria-haspopup="dialog" onClick=${() => setAsking(["passkey"])}>Add a passkey</button>`}
        </div>
        <p class="hint">
          ${data.authenticator ? "Logging in asks for a code from your authenticator. " : ""}${data.can_have_passkeys ? "" : "Passkeys do not work when the floor is opened by IP address."}
        </p>
        ${
          data.passkeys.length > 0 &&
          html`<table class="plain">
            <caption>Passkeys</caption>
            <thead><tr><th scope="col">Name</th><th scope="col">Works at</th><th scope="col">Added</th><th scope="col">Change</th></tr></thead>
            <tbody>
              ${data.passkeys.map(
                (each) =>
                  html`<tr key=${each.id}>
                    <th scope="row">${each.name}</th>
                    <td>${each.host}</td>
                    <td class="when">${when(each.created_ms)}</td>
                    <td><button type="button" aria-haspopup="dialog" aria-label=${`Remove ${each.name}`} onClick=${() => setAsking(["no-passkey", each])}>Remove</button></td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        }
      </section>`
    }
    ${
      data &&
      html`<section aria-labelledby="own-sessions">
        <h2 id="own-sessions">Where you are logged in</h2>
        <div class="scroll" tabindex="0" role="region" aria-label="Sessions">
          <table class="plain">
            <thead><tr><th scope="col">Since</th><th scope="col">Last used</th><th scope="col">From</th><th scope="col">Change</th></tr></thead>
            <tbody>
              ${data.sessions.map(
                (each) =>
                  html`<tr key=${each.handle}>
                    <th scope="row" class="when">${when(each.began_ms)}</th>
                    <td class="when">${when(each.seen_ms)}</td>
                    <td>${each.here ? "the machine itself" : each.place || "the machine itself"}${each.this ? ", this one" : ""}</td>
                    <td>${!each.this && html`<button type="button" aria-label=${`End the session of ${when(each.began_ms)}`} onClick=${() => end(each.handle)}>End session</button>`}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
        ${others.length > 0 ? html`<button type="button" onClick=${() => end("")}>End all other sessions</button>` : html`<${Empty}>Nowhere else.<//>`}
      </section>`
    }
    ${dialog === "password" && html`<${OwnPassword} name=${me.name} onClose=${() => close()} />`}
    ${dialog === "authenticator" && html`<${NewAuthenticator} onClose=${() => setAsking(null)} onMade=${close} />`}
    ${dialog === "passkey" && html`<${NewPasskey} onClose=${() => setAsking(null)} onMade=${close} />`}
    ${dialog === "no-authenticator" && html`<${Sure} title="Remove the authenticator" path="/api/me/authenticator/remove" onClose=${() => setAsking(null)} onSure=${() => close("The authenticator is removed.")} />`}
    ${dialog === "no-passkey" && html`<${Sure} title=${`Remove ${about.name}`} path=${`/api/me/passkeys/${encodeURIComponent(about.id)}/remove`} onClose=${() => setAsking(null)} onSure=${() => close("The passkey is removed.")} />`}
  </div>`;
}

function PasswordField({ form }) {
  return html`<${Field} label="Your password" id="sure-password"
    ><input id="sure-password" type="password" autocomplete="current-password" maxlength="200" required autofocus ...${form.bind("password")}
  /><//>`;
}

function Sure({ title, path, onClose, onSure }) {
  const form = useForm(async ({ password = "" }) => {
    await post(path, { password });
    await onSure();
  });
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <form onSubmit=${form.onSubmit}>
      <${PasswordField} form=${form} />
      <button type="submit" class="primary" disabled=${form.busy}>Remove</button>
      <${Problem} text=${capital(form.problem)} />
    </form>
  <//>`;
}

function NewAuthenticator({ onClose, onMade }) {
  const [begun, setBegun] = useState(null);
  const first = useForm(async ({ password = "" }) => setBegun(await post("/api/me/authenticator", { password })));
  const second = useForm(async ({ code = "" }) => {
    await post("/api/me/authenticator/confirm", { code });
    await onMade("From now on logging in asks for a code from your authenticator.");
  });
  return html`<${Dialog} title="Add an authenticator" onClose=${onClose}>
    ${
      begun
        ? html`<form key="code" onSubmit=${second.onSubmit}>
            <p>Enter this key in an authenticator app on your phone, or <a href=${begun.uri}>open it here</a>:</p>
            <p class="secret"><code>${begun.secret.match(/.{1,4}/g).join(" ")}</code></p>
            <${Field} label="Code shown by the app" id="own-code"
              ><input id="own-code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required ...${second.bind("code")}
            /><//>
            <button type="submit" class="primary" disabled=${second.busy}>Confirm</button>
            <${Problem} text=${capital(second.problem)} />
          </form>`
        : html`<form key="password" onSubmit=${first.onSubmit}>
            <${PasswordField} form=${first} />
            <button type="submit" class="primary" disabled=${first.busy}>Continue</button>
            <${Problem} text=${capital(first.problem)} />
          </form>`
    }
  <//>`;
}

function NewPasskey({ onClose, onMade }) {
  const form = useForm(async ({ password = "", name = "" }) => {
    const passkey = await makePasskey(await post("/api/me/passkeys/begin", { password }));
    await post("/api/me/passkeys", { name, passkey });
    await onMade("From now on logging in asks for your passkey.");
  });
  return html`<${Dialog} title="Add a passkey" onClose=${onClose}>
    <form onSubmit=${form.onSubmit}>
      <${PasswordField} form=${form} />
      <${Field} label="Name of the passkey" id="passkey-name"
        ><input id="passkey-name" maxlength="40" placeholder="phone" autocomplete="off" ...${form.bind("name")}
      /><//>
      <button type="submit" class="primary" disabled=${form.busy}>Add passkey</button>
      <${Problem} text=${capital(form.problem)} />
    </form>
  <//>`;
}
