// What this browser remembers for its person: a name, some tastes and where their seat is, never anything about a game.

export type Theme = "auto" | "light" | "dark";

interface Kept {
  name: string;
  lang: string | null;
  theme: Theme;
  sound: boolean;
  voice: boolean;
  takeBack: boolean; // a moment to take a claim back before it is sent
  thumbs: boolean; // ask what one would believe while others play
  table: string | null; // where they have a seat: the door leads back there
}

const SHELF = "notahat";
const FRESH: Kept = { name: "", lang: null, theme: "auto", sound: false, voice: false, takeBack: true, thumbs: true, table: null };

class Settings {
  #kept = $state<Kept>({ ...FRESH, ...stored() });

  get name(): string {
    return this.#kept.name;
  }
  get lang(): string | null {
    return this.#kept.lang;
  }
  get theme(): Theme {
    return this.#kept.theme;
  }
  get sound(): boolean {
    return this.#kept.sound;
  }
  get voice(): boolean {
    return this.#kept.voice;
  }
  get takeBack(): boolean {
    return this.#kept.takeBack;
  }
  get thumbs(): boolean {
    return this.#kept.thumbs;
  }
  get table(): string | null {
    return this.#kept.table;
  }

  keep(changes: Partial<Kept>): void {
    Object.assign(this.#kept, changes);
    try {
      localStorage.setItem(SHELF, JSON.stringify(this.#kept));
    } catch {
      // private windows may refuse; then it is kept for this visit only
    }
  }
}

function stored(): Partial<Kept> {
  try {
    return JSON.parse(localStorage.getItem(SHELF) ?? "{}") as Partial<Kept>;
  } catch {
    return {};
  }
}

export const settings = new Settings();
