/**
 * Inner loops over the documents of one window that have a slot with many lists, as a bitset
 * (united-documents.ts).
 */

/** Adds the members to another set, and lists those that are new. @returns the new length */
export function touchMembers(
  members: Uint32Array,
  seen: Uint32Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let word = 0; word < members.length; word++) {
    const fresh = members[word]! & ~seen[word]!
    if (fresh === 0) continue
    seen[word]! |= fresh
    for (let rest = fresh; rest !== 0; rest &= rest - 1) {
      touched[count++] = (word << 5) + 31 - Math.clz32(rest & -rest)
    }
  }
  return count
}

/** Like `touchMembers`, as docOrds. @param base docOrd of the window's first document */
export function listMembers(
  members: Uint32Array,
  base: number,
  seen: Uint32Array,
  docs: Uint32Array,
  docCount: number,
): number {
  let count = docCount
  for (let word = 0; word < members.length; word++) {
    const fresh = members[word]! & ~seen[word]!
    if (fresh === 0) continue
    seen[word]! |= fresh
    for (let rest = fresh; rest !== 0; rest &= rest - 1) {
      docs[count++] = base + (word << 5) + 31 - Math.clz32(rest & -rest)
    }
  }
  return count
}
