import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { parseArgs } from 'node:util'
import { RefusedError } from '@aisle/client'
import { ThinClient, type StoreKeys } from '@aisle/testing'
import { FAILURES_ALIKE_MAX } from '../packages/import/src/index.ts'
import { linesOf, loadBatches } from './lib/bulk-load.ts'
import { CATALOGS, findCatalog, unpackedFolder } from './lib/data-folder.ts'
import { positive } from './lib/option-values.ts'
import { count, Progress } from './lib/progress.ts'

/** Maximum of shown reasons of failures, each with its count. */
const REASONS_SHOWN_MAX = 5

const HELP = `Loads a catalog into a running service.

  npm run load -- --catalog amazon_in
  npm run load -- --file catalog.jsonl --schema schema.json --store shop

  --catalog NAME      one of ${CATALOGS.join(', ')}
  --data FOLDER       folder of the data sets (AISLE_DATASETS; ../shared/data)
  --file FILE         your catalog: one JSON object per line, each with an "id"
  --schema FILE       its schema: the body of POST /api/v1/stores/{id}/schema
  --url URL           the service (http://127.0.0.1:7700)
  --admin-token TOKEN to create the store (AISLE_ADMIN_TOKEN)
  --store ID          id of the store (the catalog's name)
  --replace           delete the store first if it exists
  --write-secret KEY  load into the existing store with its write secret; its schema is extended
  --limit N           only the first N documents
  --batch N           documents per request (500)
  --keep-going        do not stop after ${count(FAILURES_ALIKE_MAX)} consecutive failures for one reason
`

const { values } = parseArgs({
  options: {
    catalog: { type: 'string' },
    data: { type: 'string' },
    file: { type: 'string' },
    schema: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:7700' },
    'admin-token': { type: 'string' },
    store: { type: 'string' },
    replace: { type: 'boolean', default: false },
    'write-secret': { type: 'string' },
    limit: { type: 'string' },
    batch: { type: 'string', default: '500' },
    'keep-going': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

try {
  if (values.help) console.log(HELP)
  else await main()
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function main(): Promise<void> {
  const source = findSource()
  const limit = values.limit === undefined ? Infinity : positive('limit', values.limit)
  const batchSize = positive('batch', values.batch)
  const adminToken = values['admin-token'] ?? process.env['AISLE_ADMIN_TOKEN']
  const client = new ThinClient(values.url, { adminToken })
  const schema = JSON.parse(readFileSync(source.schemaFile, 'utf8')) as Record<string, unknown>
  const total = await estimateLines(source.productsFile, limit)

  const storeId = values.store ?? source.name
  const keys = await openStore(client, storeId)
  // An existing store keeps its data; only a new one may get the schema as a replacement.
  const mode = values['write-secret'] === undefined ? 'replace' : 'additive'
  await client.setSchema(keys, { ...schema, mode })

  const progress = new Progress(source.name, total)
  const outcome = await loadBatches(client, keys, linesOf(source.productsFile, limit), {
    batchSize,
    keepGoing: values['keep-going'],
    onProgress: (documents) => progress.advance(documents),
  })
  progress.finish()
  client.close()

  const { stuck } = outcome
  console.log(`${count(outcome.indexed)} documents indexed, ${count(outcome.failedCount)} failed`)
  for (const { count: rows, firstRow, example } of outcome.reasons.slice(0, REASONS_SHOWN_MAX)) {
    console.log(`failed: ${count(rows)}, the first is document ${count(firstRow)}: ${example}`)
  }
  if (stuck !== undefined) {
    console.log(
      `Stopped: too many consecutive failures for one reason (${stuck.example}). --keep-going continues anyway.`,
    )
  }
  console.log(`store id      ${keys.storeId}`)
  if (values['write-secret'] === undefined) {
    console.log(`read secret   ${keys.readSecret}`)
    console.log(`write secret  ${keys.writeSecret}`)
    console.log(`\ncurl -s ${client.http.baseUrl}/v1/search -H 'content-type: application/json' \\
  -H 'x-storeid: ${keys.storeId}' -H 'x-storesecret: ${keys.readSecret}' \\
  -d '{"q": "*", "per_page": 3}'`)
  }
  if (outcome.failedCount > 0) process.exitCode = 1
}

function findSource(): { name: string; productsFile: string; schemaFile: string } {
  if (values.file !== undefined) {
    if (values.schema === undefined)
      throw new Error('--file needs --schema: the fields of the catalog')
    const name = basename(values.file, extname(values.file)).replaceAll(/[^\w-]/g, '-')
    return { name, productsFile: values.file, schemaFile: values.schema }
  }
  if (values.catalog === undefined) throw new Error(`--catalog or --file is needed\n\n${HELP}`)
  return findCatalog(unpackedFolder(values.data), values.catalog)
}

async function openStore(client: ThinClient, storeId: string): Promise<StoreKeys> {
  const writeSecret = values['write-secret']
  if (writeSecret !== undefined) return { storeId, readSecret: '', writeSecret }
  try {
    return await client.createStore({ name: storeId, id: storeId })
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'store_exists') throw error
    if (!values.replace) {
      throw new Error(
        `The store "${storeId}" exists. --replace deletes and recreates it; --write-secret loads into it; ` +
          `--store names another`,
        { cause: error },
      )
    }
    await client.deleteStore(storeId)
    return await client.createStore({ name: storeId, id: storeId })
  }
}

/**
 * Estimates the number of lines of a file from its size and its first lines: precise enough for a
 * progress bar.
 */
async function estimateLines(file: string, limit: number): Promise<number> {
  let lines = 0
  let bytes = 0
  for await (const line of linesOf(file, 2_000)) {
    lines += 1
    bytes += Buffer.byteLength(line) + 1
  }
  if (lines < 2_000) return Math.min(limit, lines)
  return Math.min(limit, Math.round((statSync(file).size / bytes) * lines))
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const refused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
  return refused ? `No service answers at ${values.url}: start one with npm start` : error.message
}
