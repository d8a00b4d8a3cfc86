// Whether the player looks at the table: no menu is open and the page is visible.

class Attention {
  #dialogs = $state(0);
  #hidden = $state(document.hidden);

  constructor() {
    document.addEventListener("visibilitychange", () => (this.#hidden = document.hidden));
  }

  get away(): boolean {
    return this.#dialogs > 0 || this.#hidden;
  }

  /** Count as away until the returned function is called. */
  readonly distract = (): (() => void) => {
    this.#dialogs += 1;
    return () => (this.#dialogs -= 1);
  };
}

export const attention = new Attention();
