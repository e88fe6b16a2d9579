// Every node of the pages is made here, in the language of the pages.

import { Component, html as node } from "./vendor/preact-htm.js";
import { translated } from "./catalogue.js";

export * from "./vendor/preact-htm.js";

/**
 * Draws again only where what it is given is another. Nodes are never kept to be shown again: each knows the tree in which it
 * was first shown, so that one that is kept keeps all of that tree.
 */
export class Still extends Component {
  shouldComponentUpdate(next) {
    return Object.keys(next).some((key) => next[key] !== this.props[key]);
  }
}

export function html(statics, ...fields) {
  const [words, values] = translated(statics, fields);
  return node(words, ...values);
}
