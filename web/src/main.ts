import { mount } from "svelte";
import App from "./app/App.svelte";
import "./app.css";
import { registerServiceWorker } from "./app/serviceWorker.ts";

mount(App, { target: document.getElementById("app")! });

// Register after the first page has loaded, so that the cache does not compete with it.
const DELAY = 3000;
if (import.meta.env.PROD) addEventListener("load", () => setTimeout(() => void registerServiceWorker()?.catch(() => undefined), DELAY));
