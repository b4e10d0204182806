/**
 * A repeatable shuffle: mixes a seed and a document key into an unsigned 32-bit integer
 * (the finaliser of MurmurHash3, Appleby 2011, over both halves of the key).
 *
 * @param seed any integer; its low 32 bits count
 */
export function shuffle(seed: number, docKey: number): number {
  const low = docKey >>> 0
  const high = Math.floor(docKey / 2 ** 32) >>> 0
  return mix(Math.imul(mix(low ^ (seed | 0)), 0x9e3779b1) ^ high)
}

function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
