// Browsers keep a screen on only over a secure connection. Where they do not, people are told in time.

export function sleepy(): boolean {
  return !("wakeLock" in navigator);
}
