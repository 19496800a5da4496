const RASTER = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;

/** The address of an agent's image, or null for a kind that is not shown: an SVG can hold a program. */
export function imageAddress(mimeType: string, data: string): string | null {
  const type = mimeType.toLowerCase().split(";")[0]?.trim() ?? "";
  if (!RASTER.test(type) || !/^[A-Za-z0-9+/=\s]+$/.test(data)) return null;
  return `data:${type};base64,${data}`;
}
