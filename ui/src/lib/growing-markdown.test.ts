import { describe, expect, test } from "vitest";
import { GrowingMarkdown, LONGEST, type Progress } from "./growing-markdown";
import { parseAnswer, renderGroup, type Block } from "./markdown";

const CORPUS = [
  "A paragraph with **bold**, `code`\nand two lines.\n\nAnother one.\n",
  "# Head\ntext\n\nSet\n===\n\n---\n\nafter",
  "1. one\n\n2. two\n\n   more of two\n\n10. ten\n\nend",
  "- a\n- b\n  - c\n    - d\n\n  loose\n- e\n\n* other\n",
  "text\n```python\nprint(1)\n\nprint(2)\n```\nafter\n\n~~~\nopen\n",
  "para\n```inline``` code\n\n    indented\n\n    code\n\nx",
  "| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\nafter | not a table\n",
  "> quote\nlazy\n\n> again\n> - list\n\ntext",
  "- [ ] to do\n- [x] done\n\n1) other\n2) list",
  "a\r\nb\r\n\r\n- c\r\n\r\nd",
  "**bo\n\nld** and <b>no</b>\n\n***\n\n&amp; &lt;",
];

function whole(text: string): Block[] {
  return parseAnswer(text, {}).map(renderGroup);
}

/** Update until all of the text was read. */
function read(step: () => Progress): readonly Block[] {
  for (let steps = 0; steps < 10_000; steps++) {
    const { blocks, whole: done } = step();
    if (done) return blocks;
  }
  throw new Error("it never ends");
}

function finished(text: string): readonly Block[] {
  const growing = new GrowingMarkdown();
  return read(() => growing.finish(text));
}

describe("a text that grows", () => {
  test.each(CORPUS)("is the same as read at once, letter by letter: %j", (text) => {
    const growing = new GrowingMarkdown();
    for (let length = 0; length <= text.length; length++) growing.update(text.slice(0, length));
    expect(growing.finish(text).blocks).toEqual(whole(text));
  });

  test("is the same wherever it is cut in two", () => {
    const text = CORPUS.join("\n\n");
    const expected = whole(text);
    for (let cut = 0; cut <= text.length; cut += 83) {
      const growing = new GrowingMarkdown();
      read(() => growing.update(text.slice(0, cut)));
      expect(
        read(() => growing.finish(text)),
        `cut at ${cut}`,
      ).toEqual(expected);
    }
  });

  test("keeps its final blocks as they are", () => {
    const growing = new GrowingMarkdown();
    const [first] = growing.update("one\n\ntwo\n\nthr").blocks;
    expect(growing.update("one\n\ntwo\n\nthree\n\nfour").blocks[0]).toBe(first);
  });

  test("may become another text", () => {
    const growing = new GrowingMarkdown();
    growing.update("one\n\ntwo\n\nthree");
    expect(growing.update("other\n\ntwo").blocks).toEqual(whole("other\n\ntwo"));
  });

  test("has its links when they are defined at last", () => {
    const text = "see [a]\n\nand [b]\n\n[a]: https://a.example\n[b]: https://b.example\n";
    const growing = new GrowingMarkdown();
    for (let length = 0; length <= text.length; length++) growing.update(text.slice(0, length));
    expect(read(() => growing.finish(text))).toEqual(whole(text));
  });
});

/** The visible words, without marks. */
function wordsOf(blocks: readonly Block[]): string {
  const node = document.createElement("div");
  for (const block of blocks) {
    if (block.kind === "html") node.insertAdjacentHTML("beforeend", block.html);
    else node.append(block.code);
  }
  return node.textContent.replace(/\s+/g, " ").trim();
}

describe("a long block", () => {
  const lines = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join("");

  test("of code stays one", () => {
    const code = lines(2_000, (index) => `line ${index}\n`);
    const text = `before\n\n\`\`\`sh\n${code}\`\`\`\nafter\n`;
    expect(finished(text)).toEqual(whole(text));
    const growing = new GrowingMarkdown();
    for (let length = 0; length < text.length; length += 997) growing.update(text.slice(0, length));
    expect(read(() => growing.finish(text))).toEqual(whole(text));
  });

  test("of code in a single line stays one", () => {
    const text = `\`\`\`json\n{"a": "${"x y".repeat(LONGEST)}"}\n\`\`\`\n`;
    expect(finished(text)).toEqual(whole(text));
  });

  test("of code that is over is not gone on with", () => {
    const text = `\`\`\`\n${lines(500, (index) => `line ${index}\n`)}\`\`\`\n`;
    const growing = new GrowingMarkdown();
    read(() => growing.update(text));
    const blocks = read(() => growing.finish(`${text}\nafter\n\n\`\`\`\nother\n\`\`\``));
    expect(blocks.map((block) => block.kind)).toEqual(["code", "html", "code"]);
  });

  test("that is a list is cut between items, and counts on", () => {
    const text = lines(320, (index) => `${index + 1}. item **${index + 1}**\n   more\n`);
    const blocks = finished(`${text}\nafter`);
    const node = document.createElement("div");
    for (const block of blocks) {
      if (block.kind === "html") node.insertAdjacentHTML("beforeend", block.html);
    }
    expect(blocks.length).toBeGreaterThan(3);
    const numbers = [...node.querySelectorAll("ol")].flatMap((list) =>
      [...list.children].map((_, index) => list.start + index),
    );
    expect(numbers).toEqual(Array.from({ length: 320 }, (_, index) => index + 1));
    expect(node.querySelectorAll("strong")).toHaveLength(320);
    expect(blocks.map((block) => block.kind === "html" && block.piece).slice(0, 3)).toEqual([
      "first",
      "next",
      "next",
    ]);
  });

  test("that is a list numbered 1 throughout counts on too", () => {
    const blocks = finished(lines(600, () => "1. item\n"));
    const starts = blocks.map((block) =>
      block.kind === "html" ? Number(/start="(\d+)"/.exec(block.html)?.[1] ?? 1) : 0,
    );
    const counts = blocks.map((block) =>
      block.kind === "html" ? block.html.split("<li>").length - 1 : 0,
    );
    let next = 1;
    for (const [index, start] of starts.entries()) {
      expect(start).toBe(next);
      next += counts[index] ?? 0;
    }
    expect(next).toBe(601);
  });

  test("that is a table keeps its columns in each piece", () => {
    const text = `| a | b |\n|---|--:|\n${lines(420, (index) => `| ${index} | x |\n`)}\nafter | no row\n`;
    const node = document.createElement("div");
    for (const block of finished(text)) {
      if (block.kind === "html") node.insertAdjacentHTML("beforeend", block.html);
    }
    const rows = [...node.querySelectorAll("tbody tr")].map(
      (row) => row.firstElementChild?.textContent,
    );
    expect(rows).toEqual(Array.from({ length: 420 }, (_, index) => String(index)));
    expect(node.lastElementChild?.textContent).toBe("after | no row");
  });

  test.each([
    ["words", lines(9_000, (index) => `word${index} `)],
    ["lines", lines(5_000, (index) => `line ${index}\n`)],
    ["quotes", lines(3_000, (index) => `> quote ${index}\n`)],
    ["one word", "x".repeat(50_000)],
    ["blank lines", `a${"\n".repeat(20_000)}b`],
    ["one item", `- ${lines(5_000, (index) => `word${index} `)}\n`],
  ])("of %s loses nothing", (_, text) => {
    const marks = /[>-]\s/g;
    const expected = text.replace(marks, "").replace(/\s+/g, " ").trim();
    const joined = (blocks: readonly Block[]): string => wordsOf(blocks).replaceAll(" ", "");
    expect(joined(finished(text))).toBe(expected.replaceAll(" ", ""));
  });
});
