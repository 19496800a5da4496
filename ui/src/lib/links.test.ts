import { afterEach, beforeEach, expect, test } from "vitest";
import { followLinks, refuseDrops } from "./links";

let opened: string[];
let ends: (() => void)[];

beforeEach(() => {
  opened = [];
  ends = [followLinks((url) => opened.push(url))(document), refuseDrops(document)];
  document.body.innerHTML =
    '<p><a href="https://a.example"><b>in</b></a> <a href="/here">out</a> <a href="javascript:alert(1)">bad</a> <i>no</i></p>';
});
afterEach(() => {
  for (const end of ends) end();
});

function click(selector: string, type = "click"): boolean {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true });
  document.querySelector(selector)?.dispatchEvent(event);
  return event.defaultPrevented;
}

test("a link never navigates; web links go to the system's browser", () => {
  expect(click("b")).toBe(true);
  expect(click('a[href="/here"]')).toBe(true);
  expect(click('a[href^="javascript"]')).toBe(true);
  expect(opened).toEqual(["https://a.example"]);
});

test("a middle click opens nothing here", () => {
  expect(click("b", "auxclick")).toBe(true);
  expect(opened).toEqual([]);
});

test("other clicks are left alone", () => {
  expect(click("i")).toBe(false);
});

test("a file that is dropped does not take the page's place", () => {
  const event = new Event("drop", { bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
});
