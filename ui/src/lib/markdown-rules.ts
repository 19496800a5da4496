/** What markdown-it does not do by itself, as rules over its tokens. */
import type { RendererRule, StateCore, Token } from "markdown-it";

const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;
const TASK = /^\[([ xX])\]\s+/;

function* inlineTokens(state: StateCore): Generator<[Token, Token[], number]> {
  for (const [index, token] of state.tokens.entries()) {
    if (token.type === "inline" && token.children) yield [token, token.children, index];
  }
}

function attribute(token: Token, name: string): string | null {
  const value = token.attrGet(name);
  return value === null ? null : String(value);
}

/**
 * Links that may not be followed become text that tells where they lead; images become links: an
 * image of the web would tell its server that it was looked at.
 */
export function emptyTargets(state: StateCore): void {
  for (const [inline, children] of inlineTokens(state)) {
    const open: boolean[] = [];
    inline.children = children.flatMap((token) => {
      if (token.type === "link_open") open.push(follow(token));
      else if (token.type === "link_close") token.tag = open.pop() ? "a" : "span";
      else if (token.type === "image") return imageLink(state, token, open.length > 0);
      return [token];
    });
  }
}

/** Whether the link stays one. */
function follow(token: Token): boolean {
  const href = attribute(token, "href") ?? "";
  const safe = SAFE_LINK.test(href);
  if (!safe) {
    token.tag = "span";
    token.attrs = [["title", href]];
  }
  return safe;
}

function imageLink(state: StateCore, image: Token, inLink: boolean): Token[] {
  const target = attribute(image, "src") ?? "";
  const text = new state.Token("text", "", 0);
  text.content = image.content || target;
  if (inLink) return [text];
  const opening = new state.Token("link_open", "a", 1);
  opening.attrs = [["href", target]];
  const closing = new state.Token("link_close", follow(opening) ? "a" : "span", -1);
  return [opening, text, closing];
}

/** `- [x] done` gets a box. */
export function markTasks(state: StateCore): void {
  for (const [inline, children, index] of inlineTokens(state)) {
    const item = state.tokens[index - 2];
    const match = TASK.exec(inline.content);
    const [first] = children;
    if (item?.type !== "list_item_open" || !match || first?.type !== "text") continue;
    first.content = first.content.replace(TASK, "");
    item.attrJoin("class", "task");
    const box = new state.Token("task_box", "input", 0);
    box.meta = { done: match[1] !== " " };
    children.unshift(box);
  }
}

export const taskBox: RendererRule = (tokens, index) => {
  const { done } = tokens[index]?.meta as { done: boolean };
  return `<input type="checkbox" disabled${done ? " checked" : ""}> `;
};

/** A column's alignment comes as a style attribute, which the page's CSP forbids. */
export function alignByClass(state: StateCore): void {
  for (const token of state.tokens) {
    const style =
      token.type === "th_open" || token.type === "td_open" ? attribute(token, "style") : null;
    const side = /^text-align:(left|center|right)$/.exec(style ?? "")?.[1];
    if (style !== null) token.attrs = side ? [["class", `align-${side}`]] : null;
  }
}

/** Names of members after an @, outside code and links, get the colour of a mention. */
export function markMentions(state: StateCore): void {
  const { members } = state.env as { members: readonly string[] };
  const pattern = mentionPattern(members);
  if (!pattern) return;
  for (const [inline, children] of inlineTokens(state)) {
    let links = 0;
    inline.children = children.flatMap((token) => {
      if (token.type === "link_open" || token.type === "link_close") links += token.nesting;
      if (token.type !== "text" || links > 0) return [token];
      return token.content.split(pattern).map((content, index) => {
        const piece = new state.Token(index % 2 ? "mention" : "text", "", 0);
        piece.content = content;
        return piece;
      });
    });
  }
}

/** Matches `@name` of any of the names, the longest first, where no word goes on around it. */
function mentionPattern(names: readonly string[]): RegExp | null {
  if (names.length === 0) return null;
  const escaped = [...names]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}_@.])(@(?:${escaped.join("|")}))(?![\p{L}\p{N}_-])`,
    "giu",
  );
}

export function mention(escape: (text: string) => string): RendererRule {
  return (tokens, index) => `<span class="at">${escape(tokens[index]?.content ?? "")}</span>`;
}
