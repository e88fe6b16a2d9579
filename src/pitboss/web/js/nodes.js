// Every node of the pages is made here, in the language of the pages.

import { html as node } from "./vendor/preact-htm.js";
import { translated } from "./catalogue.js";

export * from "./vendor/preact-htm.js";

export function html(statics, ...fields) {
  const [words, values] = translated(statics, fields);
  return node(words, ...values);
}
