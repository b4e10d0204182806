import type { DocumentPopularity } from '../../query/popularity.ts'

/** The levels of the documents of a segment. Merges two ascending lists. */
export function levelsByDocOrd(
  docKeys: Float64Array,
  { docKeys: popular, levels }: DocumentPopularity,
): Uint16Array {
  const byDocOrd = new Uint16Array(docKeys.length)
  if (docKeys.length === 0) return byDocOrd
  let at = lowerBound(popular, docKeys[0]!)
  for (let docOrd = 0; at < popular.length && docOrd < docKeys.length; docOrd++) {
    while (at < popular.length && popular[at]! < docKeys[docOrd]!) at++
    if (popular[at] === docKeys[docOrd]) byDocOrd[docOrd] = levels[at]!
  }
  return byDocOrd
}

/** Level of one document; 0 without any interaction. */
export function popularityLevelOf({ docKeys, levels }: DocumentPopularity, docKey: number): number {
  const at = lowerBound(docKeys, docKey)
  return docKeys[at] === docKey ? levels[at]! : 0
}

function lowerBound(sorted: Float64Array, key: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}
