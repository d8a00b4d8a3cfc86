import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";

mount(App, { target: document.getElementById("app")! });

// Keeping the shell for later must not slow down what is wanted now.
const CALM = 3000;
if ("serviceWorker" in navigator && import.meta.env.PROD) {
  addEventListener("load", () => setTimeout(() => void navigator.serviceWorker.register("/worker.js").catch(() => undefined), CALM));
}
