/**
 * A 53-bit hash of a text: two multiplicative hashes of 32 bits side by side (the multipliers of
 * MurmurHash3's finalizer and of xxHash). A million texts have a collision once in twenty thousand
 * times, which is good enough for counting; nothing relies on it for security.
 */
export function hashText(text: string): number {
  let high = 0x9e3779b1
  let low = 0x85ebca77
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    high = Math.imul(high ^ unit, 0x85ebca6b)
    low = Math.imul(low ^ unit, 0xc2b2ae35)
  }
  high = Math.imul(high ^ (high >>> 16), 0x9e3779b1) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae3d)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca77) ^ Math.imul(high ^ (high >>> 13), 0x27d4eb2f)
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0)
}
