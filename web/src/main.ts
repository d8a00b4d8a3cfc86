import { mount } from "svelte";
import App from "./app/App.svelte";
import "./app.css";
import { keepShell } from "./app/serviceWorker.ts";

mount(App, { target: document.getElementById("app")! });

// Keeping the shell for later must not slow down what is wanted now.
const CALM = 3000;
if (import.meta.env.PROD) addEventListener("load", () => setTimeout(() => void keepShell()?.catch(() => undefined), CALM));
