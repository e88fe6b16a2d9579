// The first screen: play now, log in, or set the floor up.

import { html, useState } from "./nodes.js";
import { post } from "./api.js";
import { Card } from "./cards.js";
import { canHavePasskeys, showPasskey } from "./passkeys.js";
import { Field, Problem, useForm, useGet, useOnce, useTitle } from "./ui.js";
import { ROLE_NAMES, capital, plain } from "./words.js";

/** Who gives no name gets one. */
const someName = () => `guest-${100 + Math.floor(Math.random() * 900)}`;

function PlayNow({ onCome }) {
  const form = useForm(async ({ name }) => {
    await post("/api/guest", { name: (name ?? "").trim() || someName() });
    await onCome("#/");
  });
  return html`<form class="panel play-now" onSubmit=${form.onSubmit}>
    <h2>Play now</h2>
    <p>Play money, no account. Sit down at a table that deals by itself.</p>
    <${Field} label="Your name at the table, if you like" id="guest-name">
      <input
        id="guest-name"
        autocomplete="nickname"
        maxlength="32"
        pattern="[A-Za-z][A-Za-z0-9_\\-]{0,31}"
        title="Letters, digits, _ or -, beginning with a letter"
        placeholder="alice"
        ...${form.bind("name")}
      />
    <//>
    <button type="submit" class="primary big" disabled=${form.busy}>Play now</button>
    <${Problem} text=${form.problem} />
  </form>`;
}

const CODES = {
  "first-use": ["Code for first use", "From the person who approved your new password.", "off"],
  code: ["Code of your authenticator", "", "one-time-code"],
};

function LogIn({ onCome }) {
  const [more, setMore] = useState(null); // what is needed besides the password
  const send = async ({ name, password }, besides) => {
    try {
      await post("/api/login", { name: (name || "").trim(), password: password || "", ...besides });
    } catch (failed) {
      if (!failed.body?.needs) throw failed;
      setMore(failed.body);
      return;
    }
    await onCome();
  };
  const form = useForm((values) => send(values, values.code ? { code: values.code } : {}));
  const passkey = useForm(async () => {
    const shown = await showPasskey(more.passkey);
    await send(form.values, { passkey: shown });
  });
  const asked = CODES[(more?.needs || []).find((need) => CODES[need])];
  return html`<form class="panel" onSubmit=${form.onSubmit}>
    <h2>Log in</h2>
    <p>For players with an account, dealers, supervisors, inspectors and administrators.</p>
    <${Field} label="Name" id="login-name"
      ><input id="login-name" autocomplete="username" required ...${form.bind("name")}
    /><//>
    <${Field} label="Password" id="login-password"
      ><input id="login-password" type="password" autocomplete="current-password" required ...${form.bind("password")}
    /><//>
    ${more && html`<p role="status">${capital(more.text)}</p>`}
    ${
      asked &&
      html`<${Field} label=${asked[0]} id="login-code" hint=${asked[1]}
        ><input id="login-code" autocomplete=${asked[2]} maxlength="40" ref=${(field) => field && !field.value && field.focus()} ...${form.bind("code")}
      /><//>`
    }
    ${more?.passkey && canHavePasskeys() && html`<button type="button" class="primary" disabled=${passkey.busy} onClick=${passkey.onSubmit}>Use your passkey</button>`}
    <button type="submit" disabled=${form.busy}>Log in</button>
    <${Problem} text=${form.problem || passkey.problem} />
  </form>`;
}

function SetUp({ onCome, token }) {
  const form = useForm(async (values) => {
    if ((values.password || "") !== (values.again || "")) throw new Error("The passwords do not match.");
    await post("/api/setup", {
      name: (values.name || "").trim(),
      password: values.password || "",
      ...(values.token ? { token: values.token } : {}),
    });
    await onCome();
  });
  return html`<form class="panel" onSubmit=${form.onSubmit}>
    <h2>Set up the floor</h2>
    <p>This floor has no accounts yet. The first is the administrator, who creates all the others.</p>
    <${Field} label="Administrator's name" id="setup-name"
      ><input id="setup-name" autocomplete="username" required ...${form.bind("name")}
    /><//>
    <${Field} label="Password" id="setup-password" hint="Ten characters or more."
      ><input
        id="setup-password"
        type="password"
        autocomplete="new-password"
        minlength="10"
        required
        aria-describedby="setup-password-hint"
        ...${form.bind("password")}
    /><//>
    <${Field} label="Password again" id="setup-again"
      ><input id="setup-again" type="password" autocomplete="new-password" required ...${form.bind("again")}
    /><//>
    ${token && html`<${Field} label="Set-up token" id="setup-token" hint="Printed in the terminal where the floor was started."><input id="setup-token" autocomplete="off" ...${form.bind("token")} /><//>`}
    <button type="submit" disabled=${form.busy}>Create account</button>
    <${Problem} text=${form.problem} />
  </form>`;
}

/** Before the floor is set up, whoever sits at the machine may look at it in any role. */
function LookRound({ roles, onCome }) {
  const [problem, setProblem] = useState("");
  const [busy, once] = useOnce();
  const come = (role) =>
    once(async () => {
      try {
        await post("/api/guest", { role });
        await onCome(location.hash.startsWith("#/tournaments") ? location.hash : "#/");
      } catch (error) {
        setProblem(error.message);
      }
    });
  return html`<section class="panel">
    <h2>Try a staff role</h2>
    <p>Until the floor is set up, you can try any role on this machine.</p>
    <div class="buttons roles">
      ${roles.map((role) => html`<button type="button" key=${role} disabled=${busy} onClick=${() => come(role)}>${ROLE_NAMES[role] || plain(role)}</button>`)}
    </div>
    <${Problem} text=${problem} />
  </section>`;
}

/** `over`: why somebody who was here is at the door again. */
export function Welcome({ onCome, over = "" }) {
  useTitle("");
  const { data: state } = useGet("/api/setup");
  const { data: books } = useGet("/api/rulebooks", { keep: true });
  const names = (books || []).map((book) => book.name);
  const roles = (state?.roles || []).filter((role) => role !== "player");
  const [settingUp, setSettingUp] = useState(false);
  return html`<div class="page welcome">
    <div class="welcome-art" aria-hidden="true">
      ${["As", "Kh", "7s", "7d", "7c"].map((card) => html`<${Card} key=${card} card=${card} quiet />`)}
    </div>
    <h1>Pitboss</h1>
    <p class="lead">Australian pontoon and Blackjack Challenge, dealt exactly as the approved rules say.</p>
    ${names.length > 0 && html`<p class="books">${names.join(" · ")}</p>`}
    <${Problem} text=${over} />
    <div class="panels">
      ${state?.guests && html`<${PlayNow} onCome=${onCome} />`}
      ${roles.length > 0 && html`<${LookRound} roles=${roles} onCome=${onCome} />`}
      ${state && state.set_up && html`<${LogIn} onCome=${onCome} />`}
      ${
        state &&
        !state.set_up &&
        (settingUp || !state.local
          ? html`<${SetUp} onCome=${onCome} token=${!state.local} />`
          : html`<section class="panel">
              <h2>Run a floor of your own</h2>
              <p>Create the administrator's account first. The administrator creates accounts for everybody else, and from then on people log in.</p>
              <button type="button" onClick=${() => setSettingUp(true)}>Set up the floor</button>
            </section>`)
      }
    </div>
  </div>`;
}
