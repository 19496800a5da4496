import { en, type Words } from "./en";
import { fr } from "./fr";

export type Language = "en" | "fr";
export type { Words };

// Until the app has told its language, the web view's is the best guess.
let spoken = $state<Language>(navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en");

/** The sentences in the language spoken now. */
export function words(): Words {
  return spoken === "fr" ? fr : en;
}

export function language(): Language {
  return spoken;
}

export function speak(language: Language): void {
  spoken = language;
}
