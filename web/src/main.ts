import { mount } from "svelte";
import App from "./app/App.svelte";
import "./app.css";
import { registerServiceWorker } from "./app/serviceWorker.ts";

mount(App, { target: document.getElementById("app")! });

// What is not needed for the first page starts after it has loaded, so that it does not compete with it.
const DELAY = 3000;
function startLater(): void {
  void registerServiceWorker()?.catch(() => undefined);
  const target = document.body;
  import("./ui/NewRelease.svelte").then(({ default: NewRelease }) => mount(NewRelease, { target }), () => undefined);
}
if (import.meta.env.PROD) addEventListener("load", () => setTimeout(startLater, DELAY));
