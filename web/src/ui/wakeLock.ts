// The screen wake lock: the screen stays on while a game is on it, because players watch others for most of a round.

/** Browsers have the wake lock only over a secure connection; without it, players are warned. */
export const canKeepScreenOn = (): boolean => "wakeLock" in navigator;

/** Keep the screen on until the returned function is called. */
export function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | undefined;
  let released = false;
  const request = (): void => {
    if (document.hidden || !canKeepScreenOn()) return;
    navigator.wakeLock.request("screen").then(
      (granted) => {
        if (released) void granted.release();
        else lock = granted;
      },
      () => undefined, // browsers may refuse it, for example with a low battery
    );
  };
  request();
  document.addEventListener("visibilitychange", request); // a hidden page loses the lock
  return () => {
    released = true;
    document.removeEventListener("visibilitychange", request);
    void lock?.release();
  };
}
