/** The letters of a word as bits; several letters share one. */
export function lettersOf(form: string): number {
  let letters = 0
  for (let i = 0; i < form.length; i++) letters |= 1 << (form.charCodeAt(i) & 31)
  return letters
}

export function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
