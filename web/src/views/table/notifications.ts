// Notifications by the service worker about what waits for the player of a hidden tab. Nothing leaves the device.

import { registerServiceWorker } from "../../app/serviceWorker.ts";
import { updateSettings } from "../../app/settings.svelte.ts";
import { href } from "../../net/base.ts";
import { isDue, may } from "../../game/permissions.ts";
import type { State } from "../../made/wire.ts";
import { words } from "../../words/words.svelte.ts";

const TAG = "notahat"; // a new notification replaces the last one

/** Ask the browser for permission. Without it, the setting stays off. */
export async function allowNotifications(): Promise<void> {
  const answer = await Notification.requestPermission();
  updateSettings({ notify: answer === "granted" });
}

/** Return what a state brings that the player should know: their turn, a stranger who knocks, or a new round. */
export function newsFor(before: State | null, state: State): string | null {
  if (state.you.length === 0) return null;
  if (isDue(state) && !(before && isDue(before))) return words.say("title.your_turn");
  const knocking = may(state, "answer_knock")?.names?.[0];
  const heard = before && may(before, "answer_knock")?.names?.[0];
  if (knocking && knocking !== heard) return words.say("live.knocked", { name: knocking });
  const dealt = state.view.stage === "play" && before && state.view.match!.number > (before.view.match?.number ?? 0);
  return dealt ? words.say("notify.dealt") : null;
}

/** Show a notification and the badge of the installed app until the tab is seen again. */
export async function notify(before: State | null, state: State): Promise<void> {
  const body = newsFor(before, state);
  if (body === null) return;
  await registerServiceWorker();
  const registration = await navigator.serviceWorker.ready;
  if (!document.hidden) return;
  document.addEventListener("visibilitychange", () => void withdraw(registration), { once: true });
  void navigator.setAppBadge?.(1);
  const details = { body, tag: TAG, icon: href("/icon-192.png"), lang: words.lang, data: location.href };
  await registration.showNotification("Not a Hat", details);
}

async function withdraw(registration: ServiceWorkerRegistration): Promise<void> {
  void navigator.clearAppBadge?.();
  for (const shown of await registration.getNotifications({ tag: TAG })) shown.close();
}
