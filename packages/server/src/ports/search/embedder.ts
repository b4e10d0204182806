/** A language model of the installation: texts become vectors of one length. */
export interface Embedder {
  /** Unique in the installation; stores choose an embedder by it. */
  readonly name: string
  /**
   * Vectors with different fingerprints are not comparable. Changes with the model, not its host.
   */
  readonly fingerprint: string
  /** Numbers per vector, 8 to 4,096. */
  readonly dimensions: number
  /**
   * @param texts Non-empty, untrusted, at most `EMBEDDING_TEXTS_MAX`. An embedder cuts what is
   * longer than its model reads.
   * @param purpose Some models read queries and documents differently.
   * @param signal Abort gives the work up; the promise is then rejected with its reason.
   * @returns One vector of finite numbers and length 1 per text, in order. `undefined` = the model
   * refuses this text, today and tomorrow: it has no vector.
   * @throws EmbedderUnavailable where the model is down, slow, busy, or answers nonsense.
   */
  embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<readonly (Float32Array | undefined)[]>
}

export type EmbeddingPurpose = 'query' | 'document'

/** The embedders of the installation, from its configuration. They are the same until it ends. */
export interface Embedders {
  names(): readonly string[]
  get(name: string): Embedder | undefined
  /** Why stores cannot use any, where that is not because none is configured. */
  readonly refusal?: string | undefined
}

/**
 * Temporary, or a fault of the installation: a search goes on by words, a job tries again later.
 */
export class EmbedderUnavailable extends Error {
  override readonly name = 'EmbedderUnavailable'
  /** When another try may succeed; absent: unknown. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, { retryAfterMs, cause }: UnavailableOptions = {}) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}

export interface UnavailableOptions {
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** An installation without embedders. */
export const NO_EMBEDDERS: Embedders = { names: () => [], get: () => undefined }
