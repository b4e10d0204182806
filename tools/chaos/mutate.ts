import { readFileSync, writeFileSync } from 'node:fs'

const PAGE_BYTES = 4_096

export const DAMAGES = ['bit flip', 'zero page', 'garbage page', 'truncation'] as const
export type Damage = (typeof DAMAGES)[number]

/**
 * Damages a file like disks and copies do: one bit, one page of zeros or garbage, or a missing end.
 *
 * @returns whether the file changed: a page may have been zero before
 */
export function damageFile(path: string, damage: Damage, random: () => number): boolean {
  const bytes = readFileSync(path)
  const before = Buffer.from(bytes)
  const below = (limit: number): number => Math.floor(random() * limit)
  if (damage === 'truncation') {
    writeFileSync(path, bytes.subarray(0, below(bytes.length)))
    return bytes.length > 0
  }
  if (damage === 'bit flip') bytes[below(bytes.length)]! ^= 1 << below(8)
  else {
    const start = below(Math.ceil(bytes.length / PAGE_BYTES)) * PAGE_BYTES
    const page = bytes.subarray(start, start + PAGE_BYTES)
    for (let i = 0; i < page.length; i++) page[i] = damage === 'zero page' ? 0 : below(256)
  }
  writeFileSync(path, bytes)
  return !bytes.equals(before)
}
