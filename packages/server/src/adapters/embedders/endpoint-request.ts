import { VECTOR_DIMENSIONS_MAX } from '@aisle/contract/limits'
import { EmbedderUnavailable } from '../../ports/search/embedder.ts'
import type { EndpointConfig } from '../../ports/search/embedder-config.ts'

/** A number of a vector as JSON, with room for spaces. */
const NUMBER_MAX_BYTES = 32
/** Of an error. */
const REASON_MAX_BYTES = 100_000
const REASON_MAX_CHARS = 200

/** The endpoint refuses the request for good: its texts, or how it is configured. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
}

/** Temporary: another try may succeed. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * Asks for vectors.
 *
 * @returns as the endpoint has them, checked, in the order of the texts
 * @throws RequestRefused, RequestFailed, EmbedderUnavailable, or the reason of the signal
 */
export async function requestVectors(
  config: EndpointConfig,
  texts: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const answer = await requestAnswer(config, texts, timeoutMs, signal)
  return vectorsOf(answer, texts.length, config.dimensions)
}

/** Sends one request. @returns the body of its response; throws as `requestVectors` */
export async function requestAnswer(
  config: EndpointConfig,
  texts: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(addressOf(config), {
      method: 'POST',
      headers: headersOf(config),
      body: bodyOf(config, texts),
      // A redirect would take products and the key to an address that nobody configured.
      redirect: 'error',
      signal: AbortSignal.any([signal, timeout]),
    })
    if (!response.ok) throw await failure(config, response)
    const bytesMax = texts.length * VECTOR_DIMENSIONS_MAX * NUMBER_MAX_BYTES
    return await readBounded(response, bytesMax)
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) throw new RequestFailed(`no answer within ${timeoutMs} ms`)
    if (error instanceof TypeError) throw new RequestFailed(networkReason(error))
    throw error
  }
}

function addressOf({ url, apiVersion }: EndpointConfig): string {
  const query = apiVersion === undefined ? '' : `?api-version=${encodeURIComponent(apiVersion)}`
  return `${url}/embeddings${query}`
}

function headersOf({ apiKey, apiVersion }: EndpointConfig): Record<string, string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  if (apiKey === undefined) return headers
  return apiVersion === undefined
    ? { ...headers, authorization: `Bearer ${apiKey}` }
    : { ...headers, 'api-key': apiKey }
}

function bodyOf(config: EndpointConfig, texts: readonly string[]): string {
  const { model, requestsDimensions, dimensions } = config
  return JSON.stringify({
    input: texts,
    ...(model === undefined ? {} : { model }),
    ...(requestsDimensions ? { dimensions } : {}),
  })
}

async function failure(config: EndpointConfig, response: Response): Promise<Error> {
  const { status } = response
  const isSecret = status === 401 || status === 403
  // Endpoints quote the key that they refuse.
  const reason = isSecret ? 'the key is missing or wrong' : await reasonOf(config, response)
  const message = `it answered ${status}: ${reason}`
  if (status === 429 || status === 408 || status >= 500) {
    return new RequestFailed(message, retryAfterOf(response))
  }
  if (status === 400 || status === 413 || status === 422) return new RequestRefused(message)
  return new EmbedderUnavailable(message)
}

/** What the endpoint says, for the log: bounded, in one line, and without the key. */
async function reasonOf({ apiKey }: EndpointConfig, response: Response): Promise<string> {
  const text = await readBounded(response, REASON_MAX_BYTES).catch(() => '')
  let reason = text
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown }
    const nested =
      typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : error
    reason = String(nested ?? message ?? text)
  } catch {
    // It is not JSON.
  }
  if (apiKey !== undefined) reason = reason.replaceAll(apiKey, '…')
  return reason.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, REASON_MAX_CHARS)
}

function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined
}

function networkReason({ message, cause }: Error): string {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  return typeof code === 'string' ? `no connection (${code})` : message
}

async function readBounded(response: Response, bytesMax: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    // Leaving the loop cancels the rest of the response.
    if (bytes > bytesMax)
      throw new EmbedderUnavailable(`its answer has more than ${bytesMax} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function vectorsOf(text: string, count: number, dimensions: number): Float32Array[] {
  let data: unknown
  try {
    data = (JSON.parse(text) as { data?: unknown } | null)?.data
  } catch {
    throw new EmbedderUnavailable('its answer is not JSON')
  }
  if (!Array.isArray(data) || data.length !== count) {
    throw new EmbedderUnavailable(`its answer has no list "data" of ${count} vectors`)
  }
  const vectors: Float32Array[] = []
  for (const [at, item] of (data as unknown[]).entries()) {
    const { index = at, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown }
    if (typeof index !== 'number' || !(index in data) || vectors[index] !== undefined) {
      throw new EmbedderUnavailable('its answer has wrong indexes for the vectors')
    }
    if (!Array.isArray(embedding) || !embedding.every((value) => typeof value === 'number')) {
      throw new EmbedderUnavailable('its answer has vectors that are not lists of numbers')
    }
    if (embedding.length !== dimensions) {
      throw new EmbedderUnavailable(
        `its vectors have ${embedding.length} dimensions, but ${dimensions} are configured`,
      )
    }
    vectors[index] = Float32Array.from(embedding)
  }
  return vectors
}
