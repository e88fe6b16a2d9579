// Passkeys: what the floor asks of the browser's authenticator, and what that answers, with bytes in base 64 for addresses.

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
const known = (list) => (list || []).map((each) => ({ ...each, id: bytes(each.id) }));

export const canHavePasskeys = () => Boolean(window.PublicKeyCredential && navigator.credentials);

const NOT_DONE = "Your device did not give a passkey: try again, or choose another way.";

async function asked(begin) {
  let found = null;
  try {
    found = await begin();
  } catch {
    throw new Error(NOT_DONE);
  }
  if (!found) throw new Error(NOT_DONE);
  return found;
}

const plain = (credential, fields) => ({
  id: credential.id,
  rawId: text(credential.rawId),
  type: credential.type,
  response: Object.fromEntries(fields.map((field) => [field, text(credential.response[field])])),
});

/** A new passkey, by what `/api/me/passkeys/begin` said. */
export async function makePasskey({ publicKey }) {
  const options = {
    ...publicKey,
    challenge: bytes(publicKey.challenge),
    user: { ...publicKey.user, id: bytes(publicKey.user.id) },
    excludeCredentials: known(publicKey.excludeCredentials),
  };
  return plain(await asked(() => navigator.credentials.create({ publicKey: options })), ["clientDataJSON", "attestationObject"]);
}

/** One that there is, by what the floor said when the password was right. */
export async function showPasskey({ publicKey }) {
  const options = {
    ...publicKey,
    challenge: bytes(publicKey.challenge),
    allowCredentials: known(publicKey.allowCredentials),
  };
  const fields = ["clientDataJSON", "authenticatorData", "signature"];
  return plain(await asked(() => navigator.credentials.get({ publicKey: options })), fields);
}
