/** How the page was let in: the run's secret, and whether it is the app's own window. */
export interface Entry {
  readonly secret: string;
  readonly inWindow: boolean;
}

const KEY = "sidekicks.entry";

/** A web view in private mode has no storage at all; the page then lives without it. */
export function tabStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

/**
 * Exchange the link's one-time code for the secret, or take the secret of an earlier load of this
 * tab. The code leaves the address at once, so that it is not copied, kept in history or reloaded.
 *
 * @returns null when the page has neither: it was opened without a link, or with a used one.
 */
export async function enter(
  place: Location,
  history: History,
  storage: Storage | null = tabStorage(),
): Promise<Entry | null> {
  const fragment = new URLSearchParams(place.hash.slice(1));
  const code = fragment.get("code");
  if (code === null) return remembered(storage);
  history.replaceState(null, "", place.pathname + place.search);
  const secret = await exchange(code);
  if (secret === null) return remembered(storage);
  const entry = { secret, inWindow: fragment.has("window") };
  storage?.setItem(KEY, JSON.stringify(entry));
  return entry;
}

/** The secret is no longer good. */
export function forget(storage: Storage | null = tabStorage()): void {
  storage?.removeItem(KEY);
}

function remembered(storage: Storage | null): Entry | null {
  const kept = storage?.getItem(KEY);
  return kept ? (JSON.parse(kept) as Entry) : null;
}

async function exchange(code: string): Promise<string | null> {
  try {
    const response = await fetch("/exchange", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
      cache: "no-store",
    });
    if (!response.ok) return null;
    const { secret } = (await response.json()) as { secret: string };
    return secret;
  } catch {
    return null;
  }
}
