// An abort signal that depends on another. `AbortSignal.any` is newer than the oldest browsers.

export interface LinkedSignal {
  signal: AbortSignal;
  end: () => void; // abort it and let go of the other
}

/** Return a signal that aborts with another one, and after a time. */
export function linkedSignal(other: AbortSignal, timeout = Infinity): LinkedSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(other.reason);
  const timer = timeout < Infinity ? setTimeout(abort, timeout) : undefined;
  other.addEventListener("abort", abort);
  if (other.aborted) abort();
  const end = (): void => {
    clearTimeout(timer);
    other.removeEventListener("abort", abort);
    abort();
  };
  return { signal: controller.signal, end };
}
