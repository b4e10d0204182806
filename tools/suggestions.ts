import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { demoCatalog } from '../packages/server/src/demo/demo-catalog.ts'
import { findCatalog, unpackedFolder } from './lib/data-folder.ts'
import { positive } from './lib/option-values.ts'
import { judgePrefixes, printJudged } from './suggestions/judge-prefixes.ts'
import { catalogWithTypos } from './suggestions/catalog-with-typos.ts'

const HELP = `Misspellings of single visitors and of a few titles: which are suggested?

  npm run suggestions
  npm run suggestions -- --catalog amazon_in,icecat --verbose

  --catalog NAMES   demo (the default), and catalogs of the data sets
  --data FOLDER     where the data sets are (AISLE_DATASETS; ../shared/data)
  --prefixes N      prefixes of each catalog (75)
  --seed N          other misspellings (1)
  --verbose         every wrong suggestion
`

const { values } = parseArgs({
  options: {
    catalog: { type: 'string', default: 'demo' },
    data: { type: 'string' },
    prefixes: { type: 'string', default: '75' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const server = await ServerProcess.start()
  const client = new ThinClient(server.url, { adminToken: server.adminToken })
  try {
    for (const name of values.catalog.split(',')) {
      const options = {
        cases: positive('--prefixes', values.prefixes),
        seed: positive('--seed', values.seed),
      }
      const catalog = catalogWithTypos(name, read(name), options)
      printJudged(name, await judgePrefixes(server, client, catalog), values.verbose)
    }
  } finally {
    client.close()
    await server.stop()
  }
}

function read(name: string) {
  if (name === 'demo') {
    const { schema, documents } = demoCatalog()
    return { schema, lines: documents.map(({ id, data }) => JSON.stringify({ id, ...data })) }
  }
  const folder = unpackedFolder(values.data)
  const { schemaFile, productsFile } = findCatalog(folder, name)
  const misspellings = join(folder, 'misspellings/homedepot_words.dev.tsv')
  return {
    schema: JSON.parse(readFileSync(schemaFile, 'utf8')) as unknown,
    lines: readFileSync(productsFile, 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
    misspellings: existsSync(misspellings) ? readFileSync(misspellings, 'utf8') : '',
  }
}
