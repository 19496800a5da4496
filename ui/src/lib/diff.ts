import { structuredPatch } from "diff";

export interface DiffRow {
  readonly kind: "same" | "added" | "removed" | "gap";
  /** The line; of a gap nothing. */
  readonly text: string;
  /** How many unchanged lines a gap leaves out. */
  readonly skipped: number;
}

const CONTEXT = 3;
/** Comparing stops here: two large files without a common line would hold up the page. */
const LONGEST_MS = 50;

/** Two texts line by line, with the unchanged lines beside each change; null where it is too much. */
export function compareLines(before: string, after: string): DiffRow[] | null {
  // Without its last newline a text is compared as if it had one: nobody asks about that here.
  const patch = structuredPatch("", "", ended(before), ended(after), "", "", {
    context: CONTEXT,
    timeout: LONGEST_MS,
  });
  if (!patch) return null;
  const rows: DiffRow[] = [];
  let line = 1;
  for (const hunk of patch.hunks) {
    if (hunk.oldStart > line) rows.push({ kind: "gap", text: "", skipped: hunk.oldStart - line });
    for (const text of hunk.lines) rows.push(toRow(text));
    line = hunk.oldStart + hunk.oldLines;
  }
  const rest = before === "" ? 0 : ended(before).split("\n").length - line;
  if (rows.length > 0 && rest > 0) rows.push({ kind: "gap", text: "", skipped: rest });
  return rows;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function toRow(line: string): DiffRow {
  const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
  return { kind, text: line.slice(1), skipped: 0 };
}
