import { resolve } from 'node:path'
import type { EmbeddersFile, TriedEmbedder } from '@aisle/server'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { counted, table } from '../terminal/table.ts'
import {
  addCommand,
  addGroup,
  wholeNumber,
  type Command,
  type CommonOptions,
  type Run,
} from './command.ts'
import { addCalibrate } from './calibrate.ts'
import { PRODUCT_WORDS } from './product-words.ts'
import { offline } from './snapshots.ts'

interface FileOptions extends CommonOptions {
  readonly embeddersFile?: string
}

interface AddOptions extends FileOptions {
  readonly endpoint?: string
  readonly folder?: string
  readonly table?: string
  readonly model?: string
  readonly key?: boolean
  readonly apiVersion?: string
  readonly allowHttp?: boolean
  readonly dimensions?: number
  readonly queryPrefix?: string
  readonly documentPrefix?: string
  readonly try: boolean
}

interface TestOptions extends FileOptions {
  readonly query?: string
}

const QUERY_DEFAULT = 'torch'
const NEIGHBOURS = 10
/** Texts for measuring: these, and no more than a few seconds of work on one processor. */
const MEASURED_TEXTS = 96
const TEXTS_PER_CALL = 32
const MEASURED_QUERIES = 15

/** Commands for the language models of an installation: they work on the file of the service. */
export function addCommands(program: Command, context: Context): void {
  const embedder = addGroup(
    program,
    'embedder',
    'language models for searches by meaning (docs/semantic.md); a service reads them when it starts',
  )
  withFile(
    addCommand(embedder, {
      name: 'add <name>',
      summary: 'test an embedder and add it to the file, which only its owner can read',
      talksTo: 'nobody',
      examples: [
        'aisle embedder add minilm --folder ./all-MiniLM-L6-v2',
        'aisle embedder add openai --endpoint https://api.openai.com/v1 \\',
        '  --model text-embedding-3-small --key',
        'aisle embedder add glove --table ./glove.6B.100d.txt',
      ],
    }),
  )
    .option(
      '--endpoint <address>',
      'base address of an OpenAI-compatible service, without /embeddings',
    )
    .option('--folder <path>', 'a folder with an ONNX model and tokenizer.json')
    .option('--table <file>', 'a text file with a word and its vector per line')
    .option('--model <name>', 'the model that an endpoint uses')
    .option('--key', 'ask for the key of the endpoint; AISLE_EMBEDDER_KEY is used if it is set')
    .option(
      '--api-version <version>',
      'API version of Azure; the key is then sent as Azure expects it',
    )
    .option('--allow-http', 'send texts unencrypted to another machine')
    .option(
      '--dimensions <number>',
      'numbers per vector; an endpoint is asked to shorten its vectors to that many',
      wholeNumber,
    )
    .option('--query-prefix <text>', 'text before every query, such as "query: " for E5')
    .option('--document-prefix <text>', 'text before every product, such as "passage: "')
    .option('--no-try', 'add it without a test; needs --dimensions')
    .runs(async (run, name: string, options: AddOptions) => {
      const members = await membersOf(run, options)
      const config = await onFile(context, options, async (file, tryOne) => {
        if (file.has(name)) {
          throw new CommandError('usage', `The file has an embedder "${name}": remove it first`)
        }
        if (!options.try && options.dimensions === undefined) {
          throw new CommandError('usage', '--no-try needs --dimensions')
        }
        const dimensions = options.dimensions ?? (await file.findDimensions(name, members))
        const complete = { ...members, dimensions }
        const checked = file.check(name, complete)
        if (options.try) await embedOnce(tryOne(checked))
        file.put(name, complete)
        return checked
      })
      const { kind, dimensions, fingerprint } = config
      run.print(
        { name, kind, dimensions, fingerprint },
        `Added "${name}", ${counted(dimensions, 'dimension')}. Start the service with --embedders-file ${fileOf(context, options)}\n`,
      )
    })
  withFile(
    addCommand(embedder, {
      name: 'list',
      summary: 'list the embedders of the file, without keys',
      talksTo: 'nobody',
    }),
  ).runs(async (run, options: FileOptions) => {
    const rows = await onFile(context, options, async (file) =>
      file.list().map((config) => ({
        name: config.name,
        kind: config.kind,
        dimensions: config.dimensions,
        source:
          config.kind === 'endpoint' ? [config.url, config.model].join(' ').trim() : config.path,
        has_key: config.kind === 'endpoint' && config.apiKey !== undefined,
        fingerprint: config.fingerprint,
      })),
    )
    const cells = rows.map(({ name, kind, dimensions, source, has_key: hasKey }) => [
      name,
      kind,
      String(dimensions),
      `${source}${hasKey ? ' (with a key)' : ''}`,
    ])
    run.print(
      rows,
      rows.length === 0
        ? 'No embedders.\n'
        : table(['name', 'kind', 'dimensions', 'source'], cells),
    )
  })
  withFile(
    addCommand(embedder, {
      name: 'test <name> [texts...]',
      summary: 'measure an embedder, and show the nearest texts of a query',
      talksTo: 'nobody',
      examples: [
        'aisle embedder test minilm',
        'aisle embedder test minilm "gas stove" "rain jacket" --query "something to cook on"',
      ],
    }),
  )
    .option('--query <text>', `text whose neighbours are shown (default "${QUERY_DEFAULT}")`)
    .runs(async (run, name: string, texts: readonly string[], options: TestOptions) => {
      const { query = QUERY_DEFAULT } = options
      const among = texts.length === 0 ? PRODUCT_WORDS : texts
      const result = await onFile(context, options, async (file, tryOne) => {
        const config = file.list().find((one) => one.name === name)
        if (config === undefined) {
          throw new CommandError(
            'usage',
            `The file has no embedder "${name}": run aisle embedder list`,
          )
        }
        const tried = await measure(tryOne(config), query, among)
        return { name, kind: config.kind, dimensions: config.dimensions, ...tried }
      })
      const { dimensions, start_ms: startMs, texts_per_second: rate, query_ms: queryMs } = result
      const lines = result.neighbours.map(({ text, similarity }) => [similarity.toFixed(3), text])
      run.print(
        result,
        `${counted(dimensions, 'dimension')}; ready after ${startMs} ms; ${rate} texts per second; ${queryMs} ms per query (median)\n\nNearest to "${query}":\n${table(['similarity', 'text'], lines)}`,
      )
    })
  addCalibrate(embedder)
  withFile(
    addCommand(embedder, {
      name: 'remove <name>',
      summary: 'remove an embedder from the file',
      talksTo: 'nobody',
    }),
  ).runs(async (run, name: string, options: FileOptions) => {
    await onFile(context, options, async (file) => file.remove(name))
    run.print({ removed: name }, `Removed "${name}".\n`)
  })
}

function withFile(command: Command): Command {
  return command.option(
    '--embedders-file <file>',
    'the file of the service (AISLE_EMBEDDERS_FILE, default embedders.json)',
  )
}

function fileOf({ environment }: Context, { embeddersFile }: FileOptions): string {
  const variable = environment['AISLE_EMBEDDERS_FILE'] ?? ''
  return embeddersFile ?? (variable === '' ? 'embedders.json' : variable)
}

type Config = ReturnType<EmbeddersFile['check']>

async function onFile<T>(
  context: Context,
  options: FileOptions,
  use: (file: EmbeddersFile, tryOne: (config: Config) => TriedEmbedder) => Promise<T>,
): Promise<T> {
  return await offline(async (server) => {
    const file = new server.EmbeddersFile(fileOf(context, options), context.environment)
    return await use(file, server.tryEmbedder)
  })
}

/** The embedder as the file has it, without its dimensions. */
async function membersOf(run: Run, options: AddOptions): Promise<object> {
  const { endpoint, folder, table: words, queryPrefix, documentPrefix } = options
  const kinds = [endpoint, folder, words].filter((kind) => kind !== undefined)
  if (kinds.length !== 1) {
    throw new CommandError('usage', 'Use one of --endpoint, --folder and --table')
  }
  const prefixes = { query_prefix: queryPrefix, document_prefix: documentPrefix }
  const members =
    endpoint === undefined
      ? { kind: folder === undefined ? 'table' : 'folder', path: resolve(folder ?? words!) }
      : {
          kind: 'endpoint',
          url: endpoint,
          model: options.model,
          api_version: options.apiVersion,
          allow_http: options.allowHttp,
          request_dimensions: options.dimensions === undefined ? undefined : true,
          api_key: await keyOf(run, options),
        }
  const given = Object.entries({ ...members, ...prefixes })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** Never from a flag: others can see the flags of a process. */
async function keyOf({ context }: Run, { key }: AddOptions): Promise<string | undefined> {
  const set = context.environment['AISLE_EMBEDDER_KEY'] ?? ''
  if (set !== '') return set
  if (key !== true) return undefined
  const answer = (await context.ask?.('Key of the endpoint: ', { hidden: true })) ?? ''
  if (answer !== '') return answer
  throw new CommandError('usage', '--key needs a terminal, or AISLE_EMBEDDER_KEY')
}

async function embedOnce(tried: TriedEmbedder): Promise<void> {
  try {
    await tried.ready()
    await tried.embed([PRODUCT_WORDS[0]], 'document')
  } finally {
    await tried.close()
  }
}

async function measure(tried: TriedEmbedder, query: string, among: readonly string[]) {
  try {
    const startMs = await timed(async () => {
      await tried.ready()
      await tried.embed([query], 'query')
    })
    const products = Array.from({ length: MEASURED_TEXTS }, (_, i) => {
      const word = (step: number): string => PRODUCT_WORDS[(i * step) % PRODUCT_WORDS.length]!
      return `${word(1)} with ${word(5)}, ${word(7)} and ${word(11)}`
    })
    const productsMs = await timed(async () => {
      for (let i = 0; i < products.length; i += TEXTS_PER_CALL) {
        await tried.embed(products.slice(i, i + TEXTS_PER_CALL), 'document')
      }
    })
    const queriesMs: number[] = []
    for (const word of PRODUCT_WORDS.slice(0, MEASURED_QUERIES)) {
      queriesMs.push(await timed(() => tried.embed([`${word} for the garden`], 'query')))
    }
    queriesMs.sort((a, b) => a - b)
    return {
      start_ms: Math.round(startMs),
      texts_per_second: Math.round((products.length * 1_000) / productsMs),
      query_ms: Number(queriesMs[Math.floor(MEASURED_QUERIES / 2)]!.toFixed(2)),
      query,
      neighbours: await neighboursOf(tried, query, among),
    }
  } finally {
    await tried.close()
  }
}

async function neighboursOf(tried: TriedEmbedder, query: string, among: readonly string[]) {
  const [vector] = await tried.embed([query], 'query')
  if (vector === undefined) {
    throw new CommandError('incomplete', `The embedder has no vector for "${query}"`)
  }
  const vectors: (Float32Array | undefined)[] = []
  for (let i = 0; i < among.length; i += TEXTS_PER_CALL) {
    vectors.push(...(await tried.embed(among.slice(i, i + TEXTS_PER_CALL), 'document')))
  }
  const similar = among.flatMap((text, i) => {
    const other = vectors[i]
    if (other === undefined) return []
    const similarity = vector.reduce((sum, value, at) => sum + value * other[at]!, 0)
    return [{ text, similarity: Number(similarity.toFixed(4)) }]
  })
  return similar.toSorted((a, b) => b.similarity - a.similarity).slice(0, NEIGHBOURS)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
