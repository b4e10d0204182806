import { parseArgs } from 'node:util'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { positive } from './lib/option-values.ts'
import { judgePrefixes, printJudged } from './suggestions/judge-prefixes.ts'
import { catalogWithTypos } from './suggestions/catalog-with-typos.ts'
import { readTexts } from './suggestions/read-texts.ts'

const HELP = `Counts the suggested misspellings of single visitors and of a few titles.

  npm run suggestions
  npm run suggestions -- --catalog amazon_in,icecat --verbose

  --catalog NAMES   demo (the default), and catalogs of the data sets
  --data FOLDER     folder of the data sets (AISLE_DATASETS; ../shared/data)
  --prefixes N      prefixes of each catalog (75)
  --seed N          seed of the misspellings (1)
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
  await using server = await ServerProcess.start()
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  for (const name of values.catalog.split(',')) {
    const options = {
      cases: positive('--prefixes', values.prefixes),
      seed: positive('--seed', values.seed),
    }
    const catalog = catalogWithTypos(name, readTexts(name, values.data), options)
    printJudged(name, await judgePrefixes(server, client, catalog), values.verbose)
  }
}
