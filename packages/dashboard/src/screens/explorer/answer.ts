import { parseExactly } from '@aisle/client'
import type { BuiltRequest } from './request.ts'

/**
 * A longer response is cut off here: the end of an export or a stream of events is not worth
 * waiting for.
 */
const SHOWN_MAX_BYTES = 512_000

export interface Answer {
  readonly status: number
  readonly statusText: string
  /** Until the first byte. */
  readonly ms: number
  readonly bytes: number
  /** Formatted when it is JSON. */
  readonly text: string
  readonly isCut: boolean
  readonly requestId: string | undefined
}

/**
 * Sends a request with the session of the page.
 *
 * @param signal aborts it; then the response is what has arrived
 * @throws the error of `fetch` if there is no response
 */
export async function sendRequest(
  request: BuiltRequest,
  csrfToken: string,
  signal: AbortSignal,
): Promise<Answer> {
  const start = performance.now()
  const response = await fetch(request.path, {
    method: request.method,
    headers: { ...request.headers, 'x-csrf-token': csrfToken },
    body: request.body ?? null,
    signal,
  })
  const ms = performance.now() - start
  const { bytes, text, isCut } = await readText(response)
  return {
    status: response.status,
    statusText: response.statusText,
    ms,
    bytes,
    text: isCut ? text : formatted(text),
    isCut,
    requestId: response.headers.get('x-request-id') ?? undefined,
  }
}

async function readText(response: Response): Promise<Pick<Answer, 'bytes' | 'text' | 'isCut'>> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let text = ''
  let bytes = 0
  try {
    while (reader !== undefined && bytes < SHOWN_MAX_BYTES) {
      const { done, value } = await reader.read()
      if (done) return { bytes, text, isCut: false }
      bytes += value.length
      text += decoder.decode(value, { stream: true })
    }
    await reader?.cancel()
  } catch {
    // It was aborted or broke off: show what has arrived.
  }
  return { bytes, text, isCut: reader !== undefined }
}

function formatted(text: string): string {
  try {
    return JSON.stringify(parseExactly(text), undefined, 2)
  } catch {
    return text
  }
}
