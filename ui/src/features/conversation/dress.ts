import { mount, unmount } from "svelte";
import CodeBlock from "./CodeBlock.svelte";

/** Code within lists and quotes gets what code at the top level has, once it is whole. */
export function dressCode(
  html: string,
  growing: boolean,
): (node: HTMLElement) => (() => void) | undefined {
  return (node) => {
    if (growing || !html.includes("<pre>")) return undefined;
    const mounted = [...node.querySelectorAll("pre > code")].map((element) => {
      const language = /\blanguage-(\S+)/.exec(element.className)?.[1] ?? "";
      const code = element.textContent;
      const target = document.createElement("div");
      element.parentElement?.replaceWith(target);
      return mount(CodeBlock, { target, props: { code, language } });
    });
    return () => {
      for (const component of mounted) void unmount(component);
    };
  };
}
