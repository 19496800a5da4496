// The escape sequences of terminals: CSI, OSC (to BEL or ST), and two-character ones.
// eslint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** What a terminal printed, without colours, and with each line as it was last written over. */
export function plainOutput(text: string): string {
  return text
    .replace(ESCAPES, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n");
}

/** A value that an agent sent, for reading: text as it is, the rest as indented JSON. */
export function readable(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** A path below the folder, from there. */
export function shortPath(path: string, folder: string): string {
  const root = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(root) ? path.slice(root.length) : path;
}
