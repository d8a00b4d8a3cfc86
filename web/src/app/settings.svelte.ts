// What this browser remembers for its person: a name, some tastes and where their seat is, never anything about a gift.

export type Theme = "auto" | "light" | "dark";

interface Kept {
  name: string;
  lang: string | null;
  learning: string | null; // the language in which gifts are named
  theme: Theme;
  sound: boolean;
  voice: boolean;
  takeBack: boolean; // a moment to take a claim back before it is sent
  thumbs: boolean; // ask what one would believe while others play
  level: string; // whom one plays against alone
  games: number; // how many games were begun alone: opponents take turns
  won: number; // how many of them were won since the level was changed
  asked: boolean; // about sound
  keepsMemory: boolean; // how one remembered is kept over many games, here alone
  controller: { code: string; on: boolean } | null; // at which table this phone is a controller, or is none beside a big screen
  table: string | null; // where they have a seat: the door leads back there
}

const SHELF = "notahat";
const FRESH: Kept = {
  name: "",
  lang: null,
  learning: null,
  theme: "auto",
  sound: false,
  voice: false,
  takeBack: true,
  thumbs: true,
  level: "casual",
  games: 0,
  won: 0,
  asked: false,
  keepsMemory: false,
  controller: null,
  table: null,
};

class Settings {
  #kept = $state<Kept>({ ...FRESH, ...stored() });

  get name(): string {
    return this.#kept.name;
  }
  get lang(): string | null {
    return this.#kept.lang;
  }
  get learning(): string | null {
    return this.#kept.learning;
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
  get level(): string {
    return this.#kept.level;
  }
  get games(): number {
    return this.#kept.games;
  }
  get won(): number {
    return this.#kept.won;
  }
  get asked(): boolean {
    return this.#kept.asked;
  }
  get keepsMemory(): boolean {
    return this.#kept.keepsMemory;
  }
  /** Beside a big screen a phone is a controller unless its owner says otherwise, and elsewhere only if they say so. */
  controls(code: string, screen: boolean): boolean {
    const { controller } = this.#kept;
    return controller?.code === code ? controller.on : screen;
  }
  /** Whether they have said so at this table. */
  chose(code: string): boolean {
    return this.#kept.controller?.code === code;
  }
  get table(): string | null {
    return this.#kept.table;
  }

  keep(changes: Partial<Kept>): void {
    Object.assign(this.#kept, changes);
    try {
      localStorage.setItem(SHELF, JSON.stringify({ ...stored(), ...changes })); // another tab may have changed the rest
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
