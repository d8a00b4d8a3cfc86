// Watching others is most of a round: the screen stays on while a game lies on the table, where the browser can do that.

export function awake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let over = false;
  const ask = (): void => {
    if (document.hidden || !("wakeLock" in navigator)) return;
    navigator.wakeLock.request("screen").then(
      (given) => {
        if (over) void given.release();
        else lock = given;
      },
      () => undefined, // a low battery may refuse
    );
  };
  ask();
  document.addEventListener("visibilitychange", ask); // a page that was hidden has lost it
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", ask);
    void lock?.release();
  };
}
