/**
 * Text to blocks that can be shown. Raw HTML is never live: the parser turns it into text, and
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

/** Harmless HTML. */
export interface HtmlBlock {
  readonly kind: "html";
  readonly html: string;
  /** The piece of a block that was cut as too long: the first one, or one that goes on with it. */
  readonly piece: "first" | "next" | null;
}

export interface CodeBlock {
  readonly kind: "code";
  /** With the end of its last line. */
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
  ADD_URI_SAFE_ATTR: ["type", "start"],
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

/** A block at the top level: its tokens, and the line on which it begins. */
export interface Group {
  readonly line: number;
  readonly tokens: readonly Token[];
}

export type { Env };

/** The blocks of an answer's Markdown, not yet rendered. */
export function parseAnswer(text: string, env: Env): Group[] {
  return [...groups(answers.parse(text, env))];
}

export function renderGroup({ tokens }: Group): Block {
  return toBlock(answers, tokens);
}

/** The person's own text; `members` are the names that a mention may name. */
export function renderWritten(text: string, members: readonly string[]): Block[] {
  const env = { members };
  return [...groups(asWritten.parse(text, env))].map(({ tokens }) => toBlock(asWritten, tokens));
}

function* groups(tokens: readonly Token[]): Generator<Group> {
  let start = 0;
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    depth += token.nesting;
    if (depth > 0) continue;
    yield { line: tokens[start]?.map?.[0] ?? 0, tokens: tokens.slice(start, index + 1) };
    start = index + 1;
  }
}

function toBlock(parser: Parser, tokens: readonly Token[]): Block {
  const [first] = tokens;
  if (first?.type === "fence" || first?.type === "code_block") {
    const language = /^\S*/.exec(first.info.trim())?.[0] ?? "";
    return { kind: "code", code: first.content, language };
  }
  const html = parser.renderer.render([...tokens], parser.options, {});
  return { kind: "html", html: DOMPurify.sanitize(html, PURIFY), piece: null };
}
