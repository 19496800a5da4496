import { mount } from "svelte";
import AppView from "./App.svelte";
import { Api } from "./backend/api";
import { enter, forget } from "./backend/auth";
import type { Backend } from "./backend/backend";
import NoEntry from "./NoEntry.svelte";
import { App } from "./state/app.svelte";

/** The shapes of the page, which it shows before this program runs. */
function dropSkeleton(): void {
  document.getElementById("skeleton")?.remove();
}

async function findBackend(): Promise<Backend | null> {
  if (import.meta.env.MODE === "fake") {
    const { Demo } = await import("./backend/demo");
    return new Demo();
  }
  const entry = await enter(location, history);
  return entry && new Api(entry);
}

async function start(target: HTMLElement): Promise<void> {
  const backend = await findBackend();
  if (!backend) {
    dropSkeleton();
    mount(NoEntry, { target });
    return;
  }
  const app = new App(backend);
  mount(AppView, { target, props: { app, onready: dropSkeleton } });
  await app.sync.run();
  if (app.sync.state === "refused") forget();
}

// Not awaited at the top: what is loaded on demand shares modules with this one.
void start(document.getElementById("app") ?? document.body);
