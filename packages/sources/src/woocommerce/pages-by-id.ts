/**
 * All elements of a list that is ordered by ascending ids and read in pages by offset, while others
 * add and remove elements. Each page begins with the last element of the page before: if it does
 * not, elements before it were removed, what follows has moved, and the reading steps back.
 *
 * @param page the elements at an offset, at most `size`
 * @returns each element that was there all the time, once, in pages
 */
export async function* pagesById<Element extends { readonly id: number }>(
  page: (offset: number) => Promise<readonly Element[]>,
  size: number,
): AsyncGenerator<readonly Element[]> {
  let lastId = 0
  let offset = 0
  for (;;) {
    const found = await page(offset)
    const [first] = found
    if (offset > 0 && (first === undefined || first.id > lastId)) {
      offset = Math.max(0, offset - size)
      continue
    }
    const fresh = found.filter(({ id }) => id > lastId)
    if (fresh.length > 0) {
      yield fresh
      lastId = fresh.at(-1)!.id
    }
    if (found.length < size) return
    offset += size - 1
  }
}
