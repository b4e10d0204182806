/**
 * Yields the lines of an NDJSON stream without line ends; skips empty lines.
 *
 * @throws Error if the stream is interrupted: the last lines are missing
 */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield line
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield rest
}

/** Yields the chunks of a stream; not every browser can iterate over streams. */
export async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk> {
  const reader = stream.getReader()
  let isDone = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isDone = done
      if (done) return
      yield value
    }
  } finally {
    // A consumer that stops early cancels the stream.
    if (!isDone) await reader.cancel().catch(() => undefined)
  }
}
