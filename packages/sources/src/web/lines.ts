import { SourceError } from '../source-error.ts'

/** Longest line of a file: one that has no end would fill the memory. */
const LINE_MAX_BYTES = 10_000_000

const LINE_END = 10

/**
 * Lines of a file, without empty ones. The last one need not have an end.
 *
 * @throws SourceError too_large
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  const take = (last: Uint8Array): string => {
    const line = held.length === 0 ? last : Buffer.concat([...held, last])
    held = []
    heldBytes = 0
    return Buffer.from(line.buffer, line.byteOffset, line.length).toString().trim()
  }
  for await (const chunk of chunks) {
    let begin = 0
    for (;;) {
      const end = chunk.indexOf(LINE_END, begin)
      if (end < 0) break
      const line = take(chunk.subarray(begin, end))
      if (line !== '') yield line
      begin = end + 1
    }
    const rest = chunk.subarray(begin)
    if (rest.length === 0) continue
    held.push(rest)
    heldBytes += rest.length
    if (heldBytes > LINE_MAX_BYTES) {
      const most = LINE_MAX_BYTES.toLocaleString('en-US')
      throw new SourceError('too_large', `A line of the file is longer than ${most} bytes`)
    }
  }
  const line = take(new Uint8Array())
  if (line !== '') yield line
}
