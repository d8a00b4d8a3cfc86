// A wake lock that counts requests and held locks, for browsers without a real one.
export default () => {
  const wake = (window.wake = { asked: 0, held: 0 });
  const request = async () => {
    let held = true;
    const release = () => {
      if (held) wake.held -= 1;
      held = false;
    };
    wake.asked += 1;
    wake.held += 1;
    document.addEventListener("visibilitychange", () => document.hidden && release()); // as browsers do
    return { release: async () => release() };
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
};
