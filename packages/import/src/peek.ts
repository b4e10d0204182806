/** The beginning of a stream, and the whole stream, readable once. */
export interface Peeked<T> {
  readonly head: readonly T[]
  readonly all: AsyncGenerator<T>
}

/**
 * Reads the beginning of a stream without consuming it.
 *
 * @param sizeOf size of an element, in the unit of `headMax`
 */
export async function peek<T>(
  stream: AsyncIterable<T>,
  headMax: number,
  sizeOf: (element: T) => number = () => 1,
): Promise<Peeked<T>> {
  const iterator = stream[Symbol.asyncIterator]()
  const head: T[] = []
  let size = 0
  while (size < headMax) {
    const { done, value } = await iterator.next()
    if (done === true) break
    head.push(value)
    size += sizeOf(value)
  }
  async function* all(): AsyncGenerator<T> {
    try {
      yield* head
      for (;;) {
        const { done, value } = await iterator.next()
        if (done === true) return
        yield value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return { head, all: all() }
}
