/** A product as a feed has it: attributes in snake case, without `g:`, with all their values. */
export type FeedItem = ReadonlyMap<string, readonly FeedValue[]>
/** A text, or the attributes inside an attribute, such as those of `shipping`. */
export type FeedValue = string | FeedItem

/** Adds a value to an attribute. */
export function addValue(item: Map<string, FeedValue[]>, name: string, value: FeedValue): void {
  const values = item.get(name)
  if (values === undefined) item.set(name, [value])
  else values.push(value)
}

/** The characters of the values of an item. */
export function charsIn(item: FeedItem): number {
  let chars = 0
  for (const values of item.values()) {
    for (const value of values) chars += typeof value === 'string' ? value.length : charsIn(value)
  }
  return chars
}
