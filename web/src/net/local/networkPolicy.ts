// Whether the network may be used for something that nobody waits for.

export interface Network {
  saveData?: boolean;
  type?: string;
}

const SILENCE = 5000;
const NOT_PAID_BY_SIZE = new Set(["wifi", "ethernet"]);

/** Whether fetching costs nothing, as far as a browser tells. One that can be carried about and tells nothing may be on a metered network. */
export function unmetered(connection: Network | undefined, handheld: boolean): boolean {
  if (connection?.saveData) return false;
  return handheld ? NOT_PAID_BY_SIZE.has(connection?.type ?? "") : connection?.type !== "cellular";
}

/** Resolves once this page has fetched nothing for a while. */
export function silence(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(done, SILENCE);
    const observer = new PerformanceObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, SILENCE);
    });
    observer.observe({ type: "resource" });
  });
}
