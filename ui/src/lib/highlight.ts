/**
 * Colours for code, loaded when the first code is looked at. Long code stays plain: colouring it
 * would hold up the page.
 */
const LONGEST = 20_000;

let engine: Promise<typeof import("highlight.js/lib/common")> | undefined;

/** The code as escaped HTML with `hljs-…` spans, or null where it stays plain. */
export async function highlight(code: string, language: string): Promise<string | null> {
  if (!language || code.length > LONGEST) return null;
  engine ??= import("highlight.js/lib/common");
  const { default: hljs } = await engine;
  if (!hljs.getLanguage(language)) return null;
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
