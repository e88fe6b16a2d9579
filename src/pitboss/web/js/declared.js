// What the floor declares of its acts. The server puts the answer in this module's place when it sends the pages.

import { get } from "./api.js";

const AGAIN_MS = 1000;

/** Without them nothing can be drawn: a floor that does not answer yet is asked again. */
async function ask() {
  for (;;) {
    try {
      return await get("/api/acts");
    } catch {
      await new Promise((later) => setTimeout(later, AGAIN_MS));
    }
  }
}

export const declared = await ask();
