import { words } from "../words/words.svelte";
import { SecretRefused, SidekicksError } from "./errors";

/** One call, both ways in: the command as JSON, and what the app answered as JSON. */
export type Transport = (command: string) => Promise<string>;

type Invoke = (secret: string, command: string) => Promise<string>;

/** What pywebview puts into the window's page, as far as we use it. */
interface Bridge {
  readonly platform?: string;
  readonly api?: { readonly invoke?: Invoke };
  readonly _QWebChannel?: unknown;
}

declare global {
  interface Window {
    pywebview?: Bridge;
  }
}

const ANSWER_MS = 60_000;
const BRIDGE_MS = 20_000;

function unavailable(): SidekicksError {
  return new SidekicksError({ code: "unavailable", message: words().appDoesNotAnswer });
}

/** Give up after a time: a call that pywebview cannot match is never settled. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function httpTransport(secret: string): Transport {
  return async (command) => {
    try {
      const response = await fetch("/invoke", {
        method: "POST",
        headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
        body: command,
        cache: "no-store",
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      if (response.status === 401) throw new SecretRefused(words().secretRefused);
      return await response.text();
    } catch (error) {
      throw error instanceof SidekicksError ? error : unavailable();
    }
  };
}

export function windowTransport(secret: string): Transport {
  const bridge = within(BRIDGE_MS, findBridge());
  bridge.catch(() => undefined); // told to whoever calls, not to the console
  return async (command) => {
    try {
      const invoke = await bridge;
      return await within(ANSWER_MS, invoke(secret, command));
    } catch (error) {
      throw error instanceof SidekicksError ? error : unavailable();
    }
  };
}

/** On Qt `window.pywebview` is there before the channel that carries its calls; one made in between is lost. */
function readyBridge(): Invoke | undefined {
  const bridge = window.pywebview;
  if (bridge?.platform === "qtwebengine" && !bridge._QWebChannel) return undefined;
  return bridge?.api?.invoke;
}

async function findBridge(): Promise<Invoke> {
  const invoke = readyBridge();
  if (invoke) return invoke;
  await new Promise<void>((resolve) => {
    window.addEventListener("pywebviewready", () => resolve(), { once: true });
  });
  return findBridge();
}
