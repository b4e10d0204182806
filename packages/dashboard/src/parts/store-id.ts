/** Shorter than the service allows: an id is part of addresses and requests. */
const PROPOSED_MAX_CHARS = 40
/** Letters that are not accented forms of Latin ones. */
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}

/**
 * An id that says what the store is: `kuche-garten` for "Küche & Garten". Empty where the name has
 * no letter for one: the service makes it then.
 *
 * @param taken ids of other stores
 */
export function proposedStoreId(name: string, taken: readonly string[]): string {
  const id = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßłøđðþæœı]/g, (letter) => LATIN[letter]!)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, PROPOSED_MAX_CHARS)
  const used = new Set(taken)
  if (id === '' || !used.has(id)) return id
  let number = 2
  while (used.has(`${id}-${number}`)) number++
  return `${id}-${number}`
}
