// Whether somebody has turned away from the table for a moment: a menu is open, or the page is out of sight.

class Aside {
  #open = $state(0);
  #hidden = $state(document.hidden);

  constructor() {
    document.addEventListener("visibilitychange", () => (this.#hidden = document.hidden));
  }

  get away(): boolean {
    return this.#open > 0 || this.#hidden;
  }

  /** For whatever is laid over the table: it takes the eyes off it until the returned function is called. */
  readonly enter = (): (() => void) => {
    this.#open += 1;
    return () => (this.#open -= 1);
  };
}

export const aside = new Aside();
