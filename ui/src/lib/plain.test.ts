import { expect, test } from "vitest";
import { hueOf } from "./hue";
import { imageAddress } from "./images";
import { plainOutput, readable, shortPath } from "./plain";

test("a terminal's output is plain text, each line as it was last written", () => {
  expect(plainOutput("\u001b[1;31mred\u001b[0m\r\n10%\r50%\rdone\n")).toBe("red\ndone\n");
  expect(plainOutput("\u001b]0;title\u0007a\u001b]8;;x\u001b\\b")).toBe("ab");
  expect(plainOutput("unfinished \u001b[")).toBe("unfinished \u001b[");
});

test("what an agent sent is readable", () => {
  expect(readable("a\nb")).toBe("a\nb");
  expect(readable({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
});

test("a path below the folder is shown from there, another one whole", () => {
  expect(shortPath("/home/ann/work/a/b.py", "/home/ann/work")).toBe("a/b.py");
  expect(shortPath("/home/ann/workshop/b.py", "/home/ann/work")).toBe("/home/ann/workshop/b.py");
});

test("only raster images are shown", () => {
  expect(imageAddress("image/PNG; x=1", "aGk=")).toBe("data:image/png;base64,aGk=");
  for (const type of ["image/svg+xml", "text/html", "image/", ""]) {
    expect(imageAddress(type, "aGk=")).toBeNull();
  }
  expect(imageAddress("image/png", 'aGk=" onerror="x')).toBeNull();
});

test("an agent's hue is always the same, and hues are spread", () => {
  expect(hueOf("alice")).toBe(hueOf("alice"));
  const counts = new Map<number, number>();
  for (let index = 0; index < 600; index++) {
    const hue = hueOf(`agent-${index}`);
    counts.set(hue, (counts.get(hue) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  for (const count of counts.values()) expect(count).toBeGreaterThan(60);
});
