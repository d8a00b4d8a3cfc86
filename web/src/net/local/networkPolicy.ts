// Whether and when a background download may use the network.

export interface NetworkInfo {
  saveData?: boolean;
  type?: string;
}

const IDLE_TIME = 5000;
const UNMETERED = new Set(["wifi", "ethernet"]);

/** Return whether the network is free of charge as far as the browser knows. An unknown one of a handheld is not. */
export function isUnmetered(network: NetworkInfo | undefined, handheld: boolean): boolean {
  if (network?.saveData) return false;
  return handheld ? UNMETERED.has(network?.type ?? "") : network?.type !== "cellular";
}

/** Resolve once this page has fetched nothing for `IDLE_TIME`. */
export function networkIdle(): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(finish, IDLE_TIME);
    const observer = new PerformanceObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(finish, IDLE_TIME);
    });
    observer.observe({ type: "resource" });
  });
}
