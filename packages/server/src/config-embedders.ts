import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { VECTOR_DIMENSIONS_MAX, VECTOR_DIMENSIONS_MIN } from '@aisle/contract/limits'
import {
  EMBEDDER_NAME_MAX_CHARS,
  EMBEDDERS_MAX,
  EMBEDDING_TEXTS_MAX,
} from '@aisle/contract/semantic-limits'
import { FileMembers } from './config-embedder-members.ts'
import { ConfigError } from './config-options.ts'
import { sampleOf } from './config-file-sample.ts'
import { isLoopback } from './domain/access/network.ts'
import type {
  EmbedderConfig,
  EndpointConfig,
  FolderConfig,
  Pooling,
  TableConfig,
} from './ports/search/embedder-config.ts'

/** More than any endpoint needs to answer a request of 256 texts. */
const TIMEOUT_MAX_MS = 120_000
const TIMEOUT_DEFAULT_MS = 10_000
/** The least that known endpoints accept by default. */
const TEXTS_PER_REQUEST_DEFAULT = 32
const CHARS_MAX_DEFAULT = 8_000
const CHARS_MAX_MAX = 100_000
const TOKENS_MAX_DEFAULT = 256
const TOKENS_MAX_MAX = 8_192
const WORDS_MAX_DEFAULT = 500_000
/** The table is held in memory. */
const TABLE_MAX_BYTES = 2_000_000_000

/** The name of an embedder, in files, commands and settings. */
export function isEmbedderName(name: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(name) && name.length <= EMBEDDER_NAME_MAX_CHARS
}

/**
 * Reads the file of `--embedders-file`: `{"embedders": {"name": {"kind": "endpoint", …}}}`.
 *
 * @throws ConfigError in one line, without the values of keys
 */
export function readEmbedders(
  path: string | undefined,
  environment: Environment,
): readonly EmbedderConfig[] {
  if (path === undefined) return []
  const stored = readEmbeddersFile(path)
  return Object.entries(stored).map(([name, value]) => readEmbedder(path, name, value, environment))
}

type Environment = Readonly<Record<string, string | undefined>>

/** What the process of a model may know of those of the service. */
const MODEL_VARIABLES = ['PATH', 'NODE_PATH', 'LD_LIBRARY_PATH', 'TZ', 'LANG']

/** Reads the members of the file, each still unchecked. */
export function readEmbeddersFile(path: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The message of the parser quotes the text, which may be a key.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message
    throw new ConfigError(`Cannot read the file "${path}" of --embedders-file: ${reason}`)
  }
  const file = new FileMembers(`The file "${path}" of --embedders-file`, value)
  const embedders = file.object('embedders')
  file.end()
  const names = Object.keys(embedders)
  const bad = names.find((name) => !isEmbedderName(name))
  if (bad !== undefined) throw new ConfigError(nameError(bad))
  if (names.length > EMBEDDERS_MAX) {
    throw new ConfigError(`"${path}" must have at most ${EMBEDDERS_MAX} embedders`)
  }
  return embedders
}

export function nameError(name: string): string {
  return `The name of an embedder must be 1 to ${EMBEDDER_NAME_MAX_CHARS} of a-z, 0-9 and -, beginning with a letter, received "${name}"`
}

/** @param value the embedder, as the file has it */
export function readEmbedder(
  path: string,
  name: string,
  value: unknown,
  environment: Environment,
): EmbedderConfig {
  const members = new FileMembers(`Embedder "${name}" of "${path}"`, value)
  const kind = members.choice('kind', ['endpoint', 'folder', 'table'])
  const common = {
    name,
    dimensions: members.whole('dimensions', VECTOR_DIMENSIONS_MIN, VECTOR_DIMENSIONS_MAX),
    queryPrefix: members.optionalText('query_prefix') ?? '',
    documentPrefix: members.optionalText('document_prefix') ?? '',
  }
  const read = { endpoint: readEndpoint, folder: readFolder, table: readTable }[kind]
  const config = read(members, common, environment)
  members.end()
  return config
}

type Common = Pick<EmbedderConfig, 'name' | 'dimensions' | 'queryPrefix' | 'documentPrefix'>

function readEndpoint(members: FileMembers, common: Common): EndpointConfig {
  const apiVersion = members.optionalText('api_version')
  const model = apiVersion === undefined ? members.text('model') : members.optionalText('model')
  const url = endpointUrl(members, members.text('url'), members.flag('allow_http'))
  return {
    kind: 'endpoint',
    ...common,
    url,
    model,
    apiVersion,
    apiKey: members.secret('api_key'),
    requestsDimensions: members.flag('request_dimensions'),
    timeoutMs: members.whole('timeout_ms', 100, TIMEOUT_MAX_MS, TIMEOUT_DEFAULT_MS),
    textsPerRequest: members.whole(
      'texts_per_request',
      1,
      EMBEDDING_TEXTS_MAX,
      TEXTS_PER_REQUEST_DEFAULT,
    ),
    charsMax: members.whole('chars_max', 100, CHARS_MAX_MAX, CHARS_MAX_DEFAULT),
    // A deployment of Azure has no model here, and its address names it.
    fingerprint: digest('endpoint', model ?? new URL(url).pathname, common),
  }
}

/** Only the operator's file names an address, so a store cannot make the service call any. */
function endpointUrl(members: FileMembers, text: string, allowsHttp: boolean): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search + url.hash !== '') {
    throw members.error('url', 'must be an address such as https://api.openai.com/v1', text)
  }
  if (url.username + url.password !== '') {
    throw members.error('url', 'must not contain a password: use "api_key"')
  }
  const address = url.hostname.replaceAll(/[[\]]/g, '')
  const isHere = address === 'localhost' || (isIP(address) !== 0 && isLoopback(address))
  if (url.protocol === 'http:' && !isHere && !allowsHttp) {
    throw members.error(
      'url',
      'must begin with https, because products and queries are sent there; "allow_http": true sends them unencrypted, for a network that nobody else can read',
      text,
    )
  }
  return url.href.replace(/\/$/, '')
}

/** Where exports of models have them. */
const MODEL_FILES = ['model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx']

function readFolder(members: FileMembers, common: Common, environment: Environment): FolderConfig {
  const path = members.text('path')
  const given = members.optionalText('file')
  const files = given === undefined ? MODEL_FILES : [given]
  const file = files.find((name) => isFile(join(path, name)))
  if (file === undefined) {
    throw members.error('path', `must be a folder with ${files.join(' or ')}`, path)
  }
  if (!isFile(join(path, 'tokenizer.json'))) {
    throw members.error('path', 'must be a folder with tokenizer.json', path)
  }
  const pooling = members.optionalChoice('pooling', ['mean', 'cls']) ?? knownPooling(path)
  const known = knownTokens(path)
  return {
    kind: 'folder',
    ...common,
    path,
    file,
    pooling,
    tokensMax: members.whole('tokens_max', 8, TOKENS_MAX_MAX, known),
    environment: Object.fromEntries(
      MODEL_VARIABLES.flatMap((variable) => {
        const set = environment[variable]
        return set === undefined ? [] : [[variable, set] as const]
      }),
    ),
    fingerprint: digest(
      'folder',
      sampleOf(join(path, file)) + sampleOf(join(path, 'tokenizer.json')) + pooling,
      common,
    ),
  }
}

/** Models of Sentence Transformers say how they pool. */
function knownPooling(path: string): Pooling {
  const config = jsonIn(join(path, '1_Pooling/config.json'))
  return config?.['pooling_mode_cls_token'] === true ? 'cls' : 'mean'
}

function knownTokens(path: string): number {
  const known = jsonIn(join(path, 'sentence_bert_config.json'))?.['max_seq_length']
  const isUsable = Number.isInteger(known) && Number(known) >= 8 && Number(known) <= TOKENS_MAX_MAX
  return isUsable ? Number(known) : TOKENS_MAX_DEFAULT
}

function readTable(members: FileMembers, common: Common): TableConfig {
  const path = members.text('path')
  if (!isFile(path)) throw members.error('path', 'must be a file of words with vectors', path)
  const wordsMax = members.whole('words_max', 1, 10_000_000, WORDS_MAX_DEFAULT)
  if (wordsMax * common.dimensions * 4 > TABLE_MAX_BYTES) {
    const fitting = Math.floor(TABLE_MAX_BYTES / 4 / common.dimensions)
    throw members.error('words_max', `must be at most ${fitting} with these dimensions`, wordsMax)
  }
  const fingerprint = digest('table', `${sampleOf(path)} ${wordsMax}`, common)
  return { kind: 'table', ...common, path, wordsMax, fingerprint }
}

/** A prefix of queries changes no vector of a document. */
function digest(kind: string, model: string, { dimensions, documentPrefix }: Common): string {
  const text = JSON.stringify([kind, model, dimensions, documentPrefix])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function jsonIn(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  } catch {
    // Models of other origins have no such file.
    return undefined
  }
}
