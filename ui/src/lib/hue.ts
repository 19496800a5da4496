const HUES = 6;

/** Which of the six hues (1 to 6) is an agent's: always the same for the same id. */
export function hueOf(id: string): number {
  let hash = 0x811c9dc5; // FNV-1a, 32 bits
  for (const unit of new TextEncoder().encode(id)) {
    hash = Math.imul(hash ^ unit, 0x01000193) >>> 0;
  }
  // Its low bits alone give short names the same few hues.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) % HUES) + 1;
}
