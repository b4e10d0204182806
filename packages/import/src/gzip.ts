import { chunksOf } from '@aisle/client'
import { joined } from './bytes.ts'
import { ImportError } from './import-error.ts'
import { peek } from './peek.ts'

/** The bytes of a file, unpacked if it begins as gzip files do. */
export async function* unpacked(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, all } = await peek(file, 2, ({ length }) => length)
  const [first, second] = joined(head)
  if (first !== 0x1f || second !== 0x8b) {
    yield* all
    return
  }
  const packed = streamOf(all)
  try {
    const gunzip = new DecompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>
    yield* chunksOf(packed.stream.pipeThrough(gunzip))
  } catch (error) {
    const failure = packed.failure() ?? error
    if (!(failure instanceof TypeError)) throw failure
    throw new ImportError(
      'unreadable',
      'The file is not one whole gzip file: it is damaged, cut, or several in one',
      {
        cause: failure,
      },
    )
  } finally {
    await all.return(undefined)
  }
}

/** A stream of chunks, and the error that ended it, which is not one of the compression. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): {
  readonly stream: ReadableStream<Uint8Array>
  readonly failure: () => unknown
} {
  let failure: unknown
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        failure = error
        controller.error(error)
      }
    },
  })
  return { stream, failure: () => failure }
}
