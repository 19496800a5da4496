/** Put text on the clipboard, on a click. Qt's web view refuses the newer way; the older one works there. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const active = document.activeElement;
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "hidden";
    document.body.append(area);
    area.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- see above
    document.execCommand("copy");
    area.remove();
    if (active instanceof HTMLElement) active.focus();
  }
}
