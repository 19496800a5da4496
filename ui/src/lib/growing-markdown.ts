/**
 * An answer that grows, or a long one, in steps that are short however long it is.
 *
 * Only the last block is parsed again: a block is final once another has begun on a whole line, since
 * what a line is may change until it ends (`2` may become `2. item`). A block that grows beyond any
 * measure is cut: lists and code so that it does not show, the rest between lines.
 */
import { parseAnswer, renderGroup, type Block, type Env, type Group } from "./markdown";

/** What is parsed at once; a block that is longer is cut wherever it can be. */
export const LONGEST = 3_000;
/** A list or code, which are cut without a trace, are not parsed again beyond this. */
const LONG = 1_500;
type Links = NonNullable<Env["references"]>;

const STEP_MS = 8;

export interface Progress {
  /** Final ones keep their identity. */
  readonly blocks: readonly Block[];
  /** Whether all of the text is in them; else the next update goes on. */
  readonly whole: boolean;
}

export class GrowingMarkdown {
  /** The links that the final blocks define. */
  #links: Links = {};
  /** Those that all of the text read so far defines. */
  #allLinks: Links = {};
  #final: readonly Block[] = [];
  /** The text of the final blocks. */
  #settled = "";
  /** What the rest must begin with to be read as what it goes on with: a table's head, a fence. */
  #opening = "";
  /** Whether the rest goes on with a block that was cut. */
  #joined = false;
  /** The number that an ordered list goes on with. */
  #number: number | null = null;
  /** What is shown while the text is read a second time. */
  #before: readonly Block[] | null = null;
  #readTwice = false;

  /** Read on for a moment. */
  update(source: string): Progress {
    const text = source.replace(/\r\n?/g, "\n");
    if (!text.startsWith(this.#settled)) this.#restart();
    const end = performance.now() + STEP_MS;
    for (;;) {
      const start = this.#settled.length;
      const piece = text.slice(start, start + LONGEST);
      const open = this.#read(piece);
      if (open && start + piece.length === text.length) {
        this.#before = null;
        return { blocks: this.#append(open), whole: true };
      }
      if (performance.now() > end) return { blocks: this.#before ?? this.#final, whole: false };
    }
  }

  /**
   * As `update`, at the end of the text. Where it defines links, it is read once more: one that is
   * defined further down is known only now.
   */
  finish(source: string): Progress {
    const progress = this.update(source);
    const links = this.#allLinks;
    if (!progress.whole || this.#readTwice || this.#settled === "") return progress;
    if (Object.keys(links).length === 0) return progress;
    this.#restart();
    this.#links = links;
    this.#before = progress.blocks;
    this.#readTwice = true;
    return { blocks: progress.blocks, whole: false };
  }

  #parse(text: string): Group[] {
    // A definition at the end may still grow, and the parser keeps the first it sees.
    const env: Env = { references: { ...this.#links } };
    const groups = parseAnswer(this.#opening + text, env);
    this.#allLinks = env.references ?? {};
    return groups;
  }

  /** Settle what is final in a piece of text; return the blocks that may still change, if that was all. */
  #read(piece: string): readonly Block[] | null {
    const lead = wholeLines(this.#opening);
    const found = this.#parse(piece);
    const open = found.findLastIndex((group) => group.line < lead + wholeLines(piece));
    if (open > 0) {
      this.#settle(found.slice(0, open), firstLines(piece, (found[open]?.line ?? 0) - lead));
      this.#goOn(null);
    } else if (this.#cut(piece, found[0])) {
      return null;
    }
    return found.slice(Math.max(0, open)).map((group) => this.#render(group));
  }

  /** Settle the greater part of a block that is too long; return whether that was done. */
  #cut(piece: string, group: Group | undefined): boolean {
    if (piece.length < LONG) return false;
    const lead = wholeLines(this.#opening);
    const whole = wholeLines(piece);
    const goesOn = group !== undefined && reaches(group, lead + whole);
    const seam = group && seamOf(group, lead + whole, goesOn) - lead;
    if (piece.length < LONGEST && !(seam && seam > 0)) return false;
    const head =
      (seam && seam > 0 && firstLines(piece, seam)) ||
      firstLines(piece, whole) ||
      piece.slice(0, piece.lastIndexOf(" ") + 1) ||
      piece;
    const seamless = { opening: "", number: null as number | null };
    if (goesOn) seamless.opening = this.#opening || openingOf(group, piece);
    const cut = this.#parse(head);
    if (seam) seamless.number = this.#nextNumber(cut[0]);
    this.#settle(cut, head, "first");
    this.#goOn(seamless);
    return true;
  }

  #goOn(how: { opening: string; number: number | null } | null): void {
    this.#joined = how !== null;
    this.#opening = how?.opening ?? "";
    this.#number = how?.number ?? null;
  }

  #nextNumber(group: Group | undefined): number | null {
    const [first] = group?.tokens ?? [];
    if (first?.type !== "ordered_list_open") return null;
    const items = group?.tokens.filter((one) => one.type === "list_item_open" && one.level === 1);
    return (this.#number ?? Number(first.attrGet("start") ?? 1)) + (items?.length ?? 0);
  }

  #settle(groups: readonly Group[], text: string, piece: "first" | null = null): void {
    this.#final = this.#append(groups.map((group) => this.#render(group, piece)));
    this.#settled += text;
    if (Object.keys(this.#allLinks).length > Object.keys(this.#links).length) {
      const env: Env = { references: this.#links };
      parseAnswer(text, env);
    }
  }

  #render(group: Group, piece: "first" | null = null): Block {
    const [first] = group.tokens;
    const goesOn = this.#joined && group.line === 0;
    if (goesOn && this.#number !== null && first?.type === "ordered_list_open") {
      first.attrSet("start", this.#number);
    }
    const block = renderGroup(group);
    return block.kind === "html" ? { ...block, piece: goesOn ? "next" : piece } : block;
  }

  /** Join blocks to the final ones; code that was cut becomes one again. */
  #append(blocks: readonly Block[]): readonly Block[] {
    const [next, ...others] = blocks;
    const before = this.#joined ? this.#final.at(-1) : undefined;
    if (next?.kind !== "code" || before?.kind !== "code") return [...this.#final, ...blocks];
    const code = before.code + next.code;
    return [...this.#final.slice(0, -1), { ...before, code }, ...others];
  }

  #restart(): void {
    this.#links = {};
    this.#allLinks = {};
    this.#final = [];
    this.#settled = "";
    this.#goOn(null);
    this.#before = null;
    this.#readTwice = false;
  }
}

function wholeLines(text: string): number {
  return text.split("\n").length - 1;
}

function firstLines(text: string, count: number): string {
  let end = 0;
  for (let line = 0; line < count; line++) end = text.indexOf("\n", end) + 1;
  return text.slice(0, end);
}

/** Whether a block reaches to the end of the text, so that what comes next may belong to it. */
function reaches({ tokens }: Group, lines: number): boolean {
  const [first] = tokens;
  if (!first?.map) return false;
  const [begin, end] = first.map;
  if (first.type !== "fence") return end >= lines;
  // One that is closed has one line more than its first and its content.
  const { content } = first;
  const partial = content === "" || content.endsWith("\n") ? 0 : 1;
  return end - begin <= 1 + wholeLines(content) + partial;
}

/** After which line a block can be cut without a trace; 0 if nowhere. */
function seamOf({ tokens, line }: Group, lines: number, goesOn: boolean): number {
  switch (tokens[0]?.type) {
    case "bullet_list_open":
    case "ordered_list_open":
      return (
        tokens.findLast((one) => one.type === "list_item_open" && one.level === 1)?.map?.[0] ?? 0
      );
    case "fence":
      return goesOn && lines > line + 1 ? lines : 0;
    default:
      return 0;
  }
}

/** What the rest of a block that is cut must begin with to be read as before. */
function openingOf({ tokens, line }: Group, piece: string): string {
  const type = tokens[0]?.type;
  const count = type === "fence" ? 1 : type === "table_open" ? 2 : 0;
  return firstLines(piece, line + count).slice(firstLines(piece, line).length);
}
