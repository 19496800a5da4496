/**
 * A link that is followed would take the whole window away from the app. Every click on one is
 * caught before anything else sees it, and web and mail links go to the system's browser.
 */
export function followLinks(openExternal: (url: string) => void): (node: Document) => () => void {
  return (node) => {
    const clicked = (event: Event): void => {
      const link = (event.target as Element).closest("a[href]");
      if (!link) return;
      event.preventDefault();
      event.stopPropagation();
      const url = link.getAttribute("href") ?? "";
      if (event.type === "click" && /^(?:https?:|mailto:)/i.test(url)) openExternal(url);
    };
    const types = ["click", "auxclick"] as const;
    for (const type of types) node.addEventListener(type, clicked, { capture: true });
    return () => {
      for (const type of types) node.removeEventListener(type, clicked, { capture: true });
    };
  };
}

/** A file that is dropped on the page would be opened in the app's place. */
export function refuseDrops(node: Document): () => void {
  const refuse = (event: Event): void => event.preventDefault();
  const types = ["dragover", "drop"] as const;
  for (const type of types) node.addEventListener(type, refuse);
  return () => {
    for (const type of types) node.removeEventListener(type, refuse);
  };
}
