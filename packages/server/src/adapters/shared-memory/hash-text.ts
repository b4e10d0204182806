/** Murmur3, 32 bits (Austin Appleby, 2011), over UTF-16 code units. */
export function hashText(text: string, seed: number): number {
  let h = seed | 0
  for (let i = 0; i < text.length; i++) {
    let k = Math.imul(text.charCodeAt(i), 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
    h = Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64
  }
  h ^= text.length
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
