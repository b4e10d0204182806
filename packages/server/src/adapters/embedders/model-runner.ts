import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FolderConfig } from '../../ports/search/embedder-config.ts'
import {
  loadOnnxRuntime,
  loadTokenizers,
  type InferenceSession,
  type OnnxRuntime,
  type Tensor,
  type Tokenizer,
} from './onnx-packages.ts'
import { unitVector } from './unit-vector.ts'

/** Longest text that is tokenised, per token of the model: the words beyond would be cut anyway. */
const CHARS_PER_TOKEN = 12
/** One thread: a model must not take the processors from searches. */
const SESSION_OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // 1 = warnings, 3 = errors.
  logSeverityLevel: 3,
}
const KNOWN_INPUTS = ['input_ids', 'attention_mask', 'token_type_ids']
/** Names of outputs in exports of models: with one vector per text, or per token. */
const OUTPUTS = ['sentence_embedding', 'last_hidden_state', 'token_embeddings']

export type ModelFolder = Pick<
  FolderConfig,
  'path' | 'file' | 'pooling' | 'tokensMax' | 'dimensions'
>

/** A model in memory: a batch of texts becomes vectors. Runs in a separate process. */
export class ModelRunner {
  readonly #folder: ModelFolder
  readonly #runtime: OnnxRuntime
  readonly #session: InferenceSession
  readonly #tokenizer: Tokenizer
  readonly #output: string

  private constructor(
    folder: ModelFolder,
    runtime: OnnxRuntime,
    session: InferenceSession,
    tokenizer: Tokenizer,
  ) {
    this.#folder = folder
    this.#runtime = runtime
    this.#session = session
    this.#tokenizer = tokenizer
    const { inputNames, outputNames } = session
    const unknown = inputNames.find((name) => !KNOWN_INPUTS.includes(name))
    if (unknown !== undefined) throw new Error(`the model has an unknown input "${unknown}"`)
    this.#output = OUTPUTS.find((name) => outputNames.includes(name)) ?? outputNames[0]!
  }

  static async open(folder: ModelFolder): Promise<ModelRunner> {
    const { path, file } = folder
    const json = readJson(join(path, 'tokenizer.json'))
    const tokenizer = new (loadTokenizers().Tokenizer)(json, tokenizerConfig(path))
    const runtime = loadOnnxRuntime()
    const session = await runtime.InferenceSession.create(join(path, file), SESSION_OPTIONS)
    return new ModelRunner(folder, runtime, session, tokenizer)
  }

  /** @returns undefined for a text without a vector */
  async embed(texts: readonly string[]): Promise<(Float32Array | undefined)[]> {
    const rows = texts.map((text) => this.#tokensOf(text))
    const width = Math.max(1, ...rows.map((row) => row.length))
    const shape = [rows.length, width]
    const ids = new BigInt64Array(rows.length * width)
    const mask = new BigInt64Array(rows.length * width)
    for (const [i, row] of rows.entries()) {
      for (const [j, id] of row.entries()) {
        ids[i * width + j] = BigInt(id)
        mask[i * width + j] = 1n
      }
    }
    const { Tensor: TensorOf } = this.#runtime
    const all: Record<string, Tensor> = {
      input_ids: new TensorOf('int64', ids, shape),
      attention_mask: new TensorOf('int64', mask, shape),
      token_type_ids: new TensorOf('int64', new BigInt64Array(ids.length), shape),
    }
    const feeds = Object.fromEntries(this.#session.inputNames.map((name) => [name, all[name]!]))
    const output = (await this.#session.run(feeds))[this.#output]!
    return rows.map((row, i) =>
      row.length === 0 ? undefined : unitVector(this.#pooled(output, i, row.length)),
    )
  }

  /** Cuts a long text before its last token, which is the end mark. */
  #tokensOf(text: string): readonly number[] {
    const { tokensMax } = this.#folder
    try {
      const { ids } = this.#tokenizer.encode(text.slice(0, tokensMax * CHARS_PER_TOKEN))
      return ids.length <= tokensMax ? ids : [...ids.slice(0, tokensMax - 1), ids.at(-1)!]
    } catch {
      // One text that the tokenizer cannot read must not take the others of its turn along.
      return []
    }
  }

  #pooled({ type, data, dims }: Tensor, row: number, tokenCount: number): Float32Array {
    const { dimensions, pooling } = this.#folder
    if (type !== 'float32' || !(data instanceof Float32Array)) {
      throw new Error(`the model answers ${type}, expected float32`)
    }
    if (dims.at(-1) !== dimensions) {
      throw new Error(
        `its vectors have ${dims.at(-1)} dimensions, but ${dimensions} are configured`,
      )
    }
    if (dims.length === 2) return data.slice(row * dimensions, (row + 1) * dimensions)
    const width = dims[1]!
    const from = row * width * dimensions
    return meanOf(data, from, pooling === 'cls' ? 1 : tokenCount, dimensions)
  }
}

/** An inner loop: plain arithmetic over typed arrays. */
function meanOf(data: Float32Array, from: number, count: number, dimensions: number): Float32Array {
  const mean = new Float32Array(dimensions)
  for (let token = 0; token < count; token++) {
    const at = from + token * dimensions
    for (let i = 0; i < dimensions; i++) mean[i]! += data[at + i]!
  }
  for (let i = 0; i < dimensions; i++) mean[i]! /= count
  return mean
}

function tokenizerConfig(path: string): object {
  try {
    return readJson(join(path, 'tokenizer_config.json'))
  } catch {
    // It only adds to tokenizer.json, and some exports leave it out.
    return {}
  }
}

function readJson(path: string): object {
  return JSON.parse(readFileSync(path, 'utf8')) as object
}
