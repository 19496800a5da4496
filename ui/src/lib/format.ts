import { language, words } from "../words/words.svelte";

/** The person's own variant of the language: an American's clock is not an Englishman's. */
function locale(): string {
  return navigator.languages.find((one) => one.startsWith(language())) ?? language();
}

const dates = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter takes far longer than using it. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale(), options]);
  const format = dates.get(key) ?? new Intl.DateTimeFormat(locale(), options);
  dates.set(key, format);
  return format;
}

/** `10:41`. */
export function timeOfDay(iso: string): string {
  return dateFormat({ hour: "numeric", minute: "2-digit" }).format(new Date(iso));
}

/** The whole moment, for a tooltip. */
export function moment(iso: string): string {
  return dateFormat({ dateStyle: "full", timeStyle: "medium" }).format(new Date(iso));
}

/** `Today`, `Yesterday`, `Monday 23 November`, with the year when it is another one. */
export function dayName(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  const midnight = (one: Date): number => new Date(one).setHours(0, 0, 0, 0);
  // Rounded: the day on which summer time begins or ends has 23 or 25 hours.
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  if (days === 0) return words().today;
  if (days === 1) return words().yesterday;
  return dateFormat({
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }),
  }).format(date);
}

/** `0.4 s`, `6 s`, `2 min 5 s`, `1 h 3 min`. */
export function duration(milliseconds: number): string {
  const number = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 });
  const seconds = milliseconds / 1000;
  if (seconds < 1) return `${number.format(Math.max(0.1, seconds))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** `1.9 GB`, `340 MB`. */
export function memorySize(bytes: number): string {
  const units = language() === "fr" ? ["Mo", "Go"] : ["MB", "GB"];
  const megabytes = bytes / 1024 ** 2;
  const [value, unit] = megabytes < 1000 ? [megabytes, units[0]] : [megabytes / 1024, units[1]];
  const digits = unit === units[1] ? 1 : 0;
  return `${new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value)} ${unit ?? ""}`;
}

/** `6.1k`. */
export function compactNumber(value: number): string {
  return new Intl.NumberFormat(locale(), {
    notation: "compact",
    maximumFractionDigits: 1,
  }).format(value);
}
