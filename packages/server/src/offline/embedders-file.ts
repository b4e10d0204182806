import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { VECTOR_DIMENSIONS_MIN } from '@aisle/contract/limits'
import { findDimensions } from '../adapters/embedders/find-dimensions.ts'
import { openEmbedder } from '../adapters/embedders/open-embedder.ts'
import { OnnxPackagesError, requireOnnxPackages } from '../adapters/embedders/onnx-packages.ts'
import {
  isEmbedderName,
  nameError,
  readEmbedder,
  readEmbedders,
  readEmbeddersFile,
} from '../config-embedders.ts'
import { ConfigError } from '../config-options.ts'
import { EmbedderUnavailable } from '../ports/search/embedder.ts'
import type { EmbedderConfig } from '../ports/search/embedder-config.ts'
import { OfflineError } from './restore-snapshot.ts'

/** Reads and writes only its user: it holds keys. */
const PRIVATE_MODE = 0o600

type Environment = Readonly<Record<string, string | undefined>>

/** The file of `--embedders-file`, for the command line: the service reads it when it starts. */
export class EmbeddersFile {
  readonly #path: string
  readonly #environment: Environment

  constructor(path: string, environment: Environment) {
    this.#path = path
    this.#environment = environment
  }

  /** @throws OfflineError if it cannot be used */
  list(): readonly EmbedderConfig[] {
    return told(() => readEmbedders(this.#path, this.#environment))
  }

  /** The embedder as the file would have it. @throws OfflineError with what is wrong */
  check(name: string, members: object): EmbedderConfig {
    return told(() => {
      if (!isEmbedderName(name)) throw new ConfigError(nameError(name))
      return readEmbedder(this.#path, name, members, this.#environment)
    })
  }

  /**
   * The number of dimensions of an embedder, from its files or one request.
   *
   * @param members without `dimensions`
   */
  async findDimensions(name: string, members: object): Promise<number> {
    const config = this.check(name, { ...members, dimensions: VECTOR_DIMENSIONS_MIN })
    return await toldLater(findDimensions(config))
  }

  /** Adds an embedder, or replaces one of this name; creates the file. */
  put(name: string, members: object): void {
    this.#write({ ...this.#stored(), [name]: members })
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#stored(), name)
  }

  remove(name: string): void {
    const stored = this.#stored()
    if (!Object.hasOwn(stored, name)) {
      throw new OfflineError(`"${this.#path}" has no embedder "${name}"`)
    }
    this.#write(Object.fromEntries(Object.entries(stored).filter(([other]) => other !== name)))
  }

  #stored(): Readonly<Record<string, unknown>> {
    return existsSync(this.#path) ? told(() => readEmbeddersFile(this.#path)) : {}
  }

  /** Whole or not at all: a service may start at this moment. */
  #write(embedders: object): void {
    const draft = `${this.#path}.${randomUUID()}`
    const text = `${JSON.stringify({ embedders }, null, 2)}\n`
    try {
      writeFileSync(draft, text, { mode: PRIVATE_MODE })
      renameSync(draft, this.#path)
    } catch (error) {
      throw new OfflineError(`Cannot write "${this.#path}": ${(error as Error).message}`)
    }
  }
}

/** An embedder that the command line tries. */
export interface TriedEmbedder {
  readonly ready: () => Promise<void>
  /** @returns undefined for texts that the model refuses */
  readonly embed: (
    texts: readonly string[],
    purpose: 'query' | 'document',
  ) => Promise<readonly (Float32Array | undefined)[]>
  readonly close: () => Promise<void>
}

/** Opens an embedder without a service. Its errors are OfflineErrors. */
export function tryEmbedder(config: EmbedderConfig): TriedEmbedder {
  if (config.kind === 'folder') told(requireOnnxPackages)
  const { embedder, ready } = openEmbedder(config, { nowMs: () => performance.now() })
  const { signal } = new AbortController()
  return {
    ready: () => toldLater(ready?.() ?? Promise.resolve()),
    embed: (texts, purpose) => toldLater(embedder.embed(texts, purpose, signal)),
    close: async () => embedder[Symbol.asyncDispose](),
  }
}

/** Errors of the operator, as the command line shows them. */
function told<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toOffline(error)
  }
}

function toldLater<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw toOffline(error)
  })
}

function toOffline(error: unknown): unknown {
  const isKnown =
    error instanceof ConfigError ||
    error instanceof EmbedderUnavailable ||
    error instanceof OnnxPackagesError
  return isKnown ? new OfflineError(error.message) : error
}
