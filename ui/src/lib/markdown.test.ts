import { describe, expect, test } from "vitest";
import { parseAnswer, renderGroup, renderWritten, type Block } from "./markdown";

function render(text: string): Block[] {
  return parseAnswer(text, {}).map(renderGroup);
}

function htmlOf(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.kind === "html" ? block.html : block.code)).join("");
}

/** What a browser would make of it. */
function live(text: string): HTMLElement {
  const node = document.createElement("div");
  for (const block of render(text)) {
    if (block.kind === "html") node.insertAdjacentHTML("beforeend", block.html);
  }
  return node;
}

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "a <b onmouseover=alert(1)>b</b>",
  "<svg><script>alert(1)</script></svg>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  '<a href="javascript:alert(1)">x</a>',
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](<java\nscript:alert(1)>)",
  "[x](vbscript:msgbox)",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](file:///etc/passwd)",
  "[x](//evil.example/)",
  "[x](sidekicks://run)",
  "[x][r]\n\n[r]: javascript:alert(1)",
  "<javascript:alert(1)>",
  "![x](https://evil.example/pixel.png)",
  "![x](data:image/svg+xml;base64,PHN2Zz4=)",
  "![x](javascript:alert(1))",
  '[x](https://e.example "onclick=alert(1)")',
  '[x](https://e.example/"onclick="alert(1))',
  "```<script>alert(1)</script>\n<script>alert(1)</script>\n```",
  '``` "onload=alert(1)\ncode\n```',
  "| <script>alert(1)</script> | b |\n|:-:|--|\n| <img src=x onerror=alert(1)> | d |",
  "- <details open ontoggle=alert(1)>x</details>",
  "> <style>*{display:none}</style>",
  "<form action=https://evil.example><button>x</button></form>",
  "<math><mtext></form><form><mglyph><svg><mtext><style><path id=</style><img onerror=alert(1) src>",
  "<!--><img src=x onerror=alert(1)>-->",
  "# <a name=x id=app>h</a>",
  "\u0000<script>\u0000alert(1)</script>",
];

describe("raw HTML and bad links are never live", () => {
  test.each(HOSTILE)("%s", (text) => {
    const node = live(text);
    expect(node.querySelector("script, img, svg, iframe, style, form, object, embed")).toBeNull();
    for (const element of node.querySelectorAll("*")) {
      for (const { name } of element.attributes) expect(name).not.toMatch(/^(?:on|style|src|id)/);
    }
    for (const link of node.querySelectorAll("a")) {
      expect(link.getAttribute("href")).toMatch(/^(?:https?:\/\/|mailto:)/);
    }
  });

  test("what was written is shown as text", () => {
    expect(live("a <b>c</b>").textContent).toBe("a <b>c</b>\n");
  });
});

describe("links", () => {
  test("web and mail links are links, also bare ones", () => {
    const node = live("[a](https://a.example) <mailto:b@b.example> http://c.example/x");
    expect([...node.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
      "https://a.example",
      "mailto:b@b.example",
      "http://c.example/x",
    ]);
  });

  test("file names are not taken for hosts", () => {
    expect(live("client.py and readme.md and a@b.example").querySelector("a")).toBeNull();
  });

  test("a link to a file is text that tells where it leads", () => {
    const node = live("[client](src/client.py)");
    expect(node.querySelector("a")).toBeNull();
    expect(node.querySelector("span")?.title).toBe("src/client.py");
    expect(node.textContent).toBe("client\n");
  });

  test("an image is a link, so that no server learns that it was looked at", () => {
    const link = live("![a cat](https://a.example/cat.png)").querySelector("a");
    expect(link?.href).toBe("https://a.example/cat.png");
    expect(link?.textContent).toBe("a cat");
    const outer = live("[![badge](https://a.example/b.png)](https://c.example)");
    expect(outer.querySelectorAll("a")).toHaveLength(1);
    expect(outer.textContent).toBe("badge\n");
  });
});

describe("GitHub's additions", () => {
  test("task lists have boxes that cannot be clicked", () => {
    const boxes = live("- [x] done\n- [ ] to do\n- plain").querySelectorAll("input");
    expect([...boxes].map((box) => [box.type, box.checked, box.disabled])).toEqual([
      ["checkbox", true, true],
      ["checkbox", false, true],
    ]);
  });

  test("columns are aligned without inline styles", () => {
    const cells = live("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |").querySelectorAll("td");
    expect([...cells].map((cell) => cell.className)).toEqual([
      "align-left",
      "align-center",
      "align-right",
    ]);
  });

  test("strikethrough, and an ordered list that begins anywhere", () => {
    expect(live("~~no~~").querySelector("s")?.textContent).toBe("no");
    expect(live("7. seven").querySelector("ol")?.start).toBe(7);
  });
});

test("code stands apart, with its language and its text as it is", () => {
  expect(render("a\n\n```python title=x\nprint('<b>')\n```")).toEqual([
    { kind: "html", html: "<p>a</p>\n", piece: null },
    { kind: "code", code: "print('<b>')\n", language: "python" },
  ]);
});

describe("what the person writes", () => {
  const written = (text: string): string =>
    htmlOf(renderWritten(text, ["alice", "Alice", "bob", "Anna B"]));

  test("is shown as written, but for code and links", () => {
    expect(written("# no *head*\n  - item\n1. x")).toBe("<p># no *head*\n  - item\n1. x</p>\n");
    expect(written("see `a < b`")).toBe("<p>see <code>a &lt; b</code></p>\n");
    expect(written("at https://a.example")).toContain('<a href="https://a.example">');
    expect(renderWritten("```sh\nls\n```", [])).toEqual([
      { kind: "code", code: "ls\n", language: "sh" },
    ]);
  });

  test("has its mentions marked, by id or name, longest first", () => {
    expect(written("@alice, @BOB: hi")).toBe(
      '<p><span class="at">@alice</span>, <span class="at">@BOB</span>: hi</p>\n',
    );
    expect(written("@Anna B go")).toContain('<span class="at">@Anna B</span> go');
  });

  test("has no mention within words, addresses, code or links", () => {
    for (const text of [
      "x@alice",
      "@alicent",
      "`@alice`",
      "https://a.example/@alice",
      "a@bob.example",
    ]) {
      expect(written(text), text).not.toContain('class="at"');
    }
  });

  test("cannot hold live HTML either", () => {
    expect(written("<img src=x onerror=alert(1)> @alice")).toContain("&lt;img");
  });
});
