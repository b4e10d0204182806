/**
 * Orders strings by code point. UTF-16 units give the same order but for surrogates
 * (U+D800..U+DFFF, the halves of characters beyond U+FFFF), which belong behind U+E000..U+FFFF:
 * both are moved.
 *
 * @returns negative, 0 or positive, as `Array.sort` wants it
 */
export function compareByCodePoint(a: string, b: string): number {
  if (a === b) return 0
  const length = a.length < b.length ? a.length : b.length
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return unitOrder(left) - unitOrder(right)
  }
  return a.length - b.length
}

/** Where a UTF-16 unit stands: two strings are ordered by their first units that differ. */
export function unitOrder(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
