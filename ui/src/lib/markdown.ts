/**
 * Markdown to blocks that can be shown. Raw HTML is never live: the parser turns it into text, and
 * what the renderer wrote passes DOMPurify with a short list of tags besides. No inline styles, no
 * images, and no link but to the web or to mail.
 */
import DOMPurify, { type Config } from "dompurify";
import MarkdownIt, { type Env, type MarkdownIt as Parser, type Token } from "markdown-it";
import {
  alignByClass,
  emptyTargets,
  markMentions,
  markTasks,
  mention,
  taskBox,
} from "./markdown-rules";

export interface HtmlBlock {
  readonly kind: "html";
  readonly html: string;
}

export interface CodeBlock {
  readonly kind: "code";
  readonly code: string;
  readonly language: string;
}

export type Block = HtmlBlock | CodeBlock;

const PURIFY: Config = {
  ALLOWED_TAGS: [
    ...["a", "blockquote", "br", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "input"],
    ...["li", "ol", "p", "pre", "s", "span", "strong"],
    ...["table", "tbody", "td", "th", "thead", "tr", "ul"],
  ],
  ALLOWED_ATTR: ["href", "title", "class", "start", "type", "checked", "disabled"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

const answers = linking(new MarkdownIt({ html: false, linkify: true }));
answers.core.ruler.push("tasks", markTasks);
answers.core.ruler.push("alignment", alignByClass);
answers.renderer.rules["task_box"] = taskBox;

/** What the person writes is shown as written, but for code, links and mentions. */
const asWritten = linking(
  new MarkdownIt("zero", { linkify: true }).enable(["fence", "backticks", "linkify"]),
);
asWritten.core.ruler.push("mentions", markMentions);
asWritten.renderer.rules["mention"] = mention(asWritten.utils.escapeHtml);

function linking(parser: Parser): Parser {
  // `client.py` would be a link to Paraguay.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  parser.validateLink = () => true; // those that may not be followed are made text afterwards
  parser.core.ruler.push("targets", emptyTargets);
  return parser;
}

/** A block at the top level, and the line on which it begins. */
interface Group {
  readonly line: number;
  readonly block: Block;
}

function* groups(parser: Parser, text: string, env: Env): Generator<Group> {
  const tokens = parser.parse(text, env);
  let start = 0;
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    depth += token.nesting;
    if (depth > 0) continue;
    yield {
      line: tokens[start]?.map?.[0] ?? 0,
      block: toBlock(parser, tokens.slice(start, index + 1), env),
    };
    start = index + 1;
  }
}

function toBlock(parser: Parser, tokens: Token[], env: Env): Block {
  const [first] = tokens;
  if (first?.type === "fence" || first?.type === "code_block") {
    const language = /^\S*/.exec(first.info.trim())?.[0] ?? "";
    return { kind: "code", code: first.content.replace(/\n$/, ""), language };
  }
  const html = parser.renderer.render(tokens, parser.options, env);
  return { kind: "html", html: DOMPurify.sanitize(html, PURIFY) };
}

/** The person's own text; `members` are the names that a mention may name. */
export function renderWritten(text: string, members: readonly string[]): Block[] {
  return [...groups(asWritten, text, { members })].map((group) => group.block);
}

export function renderAnswer(text: string): Block[] {
  return [...groups(answers, text, {})].map((group) => group.block);
}

/**
 * An answer that grows. Only the last block is parsed again: a block is final once another one has
 * begun on a whole line, since what a line is may change until it ends (`2` may become `2. item`).
 */
export class GrowingMarkdown {
  #env: Env = {};
  #final: Block[] = [];
  /** The text of the final blocks. */
  #settled = "";

  /** The blocks of the text so far; final ones keep their identity. */
  update(source: string): readonly Block[] {
    const text = source.replace(/\r\n?/g, "\n");
    if (!text.startsWith(this.#settled)) this.#restart();
    const tail = text.slice(this.#settled.length);
    const found = [...groups(answers, tail, this.#env)];
    const whole = tail.split("\n").length - 1;
    const open = Math.max(
      0,
      found.findLastIndex((group) => group.line < whole),
    );
    const settled = found.slice(0, open);
    if (settled.length > 0) {
      this.#final = [...this.#final, ...settled.map((group) => group.block)];
      this.#settled += firstLines(tail, found[open]?.line ?? 0);
    }
    return [...this.#final, ...found.slice(open).map((group) => group.block)];
  }

  /** The blocks of the whole text. A link that is defined further down is known only now. */
  finish(source: string): readonly Block[] {
    if (this.#env.references) this.#restart();
    return this.update(source);
  }

  #restart(): void {
    this.#env = {};
    this.#final = [];
    this.#settled = "";
  }
}

function firstLines(text: string, lines: number): string {
  let end = 0;
  for (let line = 0; line < lines; line++) end = text.indexOf("\n", end) + 1;
  return text.slice(0, end);
}
