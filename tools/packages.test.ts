import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { REPOSITORY } from '@aisle/testing'
import { build } from 'esbuild'
import { buildPackage, PUBLISHED, type PublishedName } from './lib/build-package.ts'
import { contractTypes } from './lib/contract-types.ts'

const run = promisify(execFile)

/** Maximum size of each entry, bundled, minified and compressed with gzip. */
const BYTES_MAX: Readonly<Record<string, number>> = {
  '@aisle/client': 10_000,
  '@aisle/client/search': 4_000,
  '@aisle/client/tokens': 1_000,
  '@aisle/events': 3_000,
  '@aisle/instantsearch-adapter': 11_000,
  '@aisle/instantsearch-adapter/autocomplete': 5_000,
}

/** Code of a shop: it must compile with the published types. */
const CONSUMER = `
import { AisleClient, type SearchResponse, type StoreSchema } from '@aisle/client'
import { latest, RefusedError, SearchClient } from '@aisle/client/search'
import { makeScopedToken } from '@aisle/client/tokens'
import { AisleEvents } from '@aisle/events'
import { insightsClient, instantSearchClient } from '@aisle/instantsearch-adapter'
import { dropdownPlugin } from '@aisle/instantsearch-adapter/autocomplete'
interface Product { title: string; price: number }
const events = new AisleEvents({ url: 'https://a.example', writeKey: 'wk', consent: true })
const shop = new SearchClient<Product>({ url: ['https://a.example', 'https://b.example'], storeId: 'shop', readSecret: 'rs', visitor: events.visitor })
const type = latest((signal, q: string) => shop.search({ q, sort_by: 'price:asc' }, { signal }))
const answer = await type('lamp')
if (answer !== undefined) events.shown(answer)
const price: number | undefined = answer?.hits[0]?.document.price
const flat = await shop.search({ q: 'lamp', hit_format: 'flat' })
const title: string | undefined = flat.hits[0]?.title
const schema: StoreSchema = await new AisleClient({ url: 'https://a.example' }).store('shop').schema()
const found: SearchResponse['found'] = flat.found
const known = (error: RefusedError): boolean => error.code === 'unknown_field'
// @ts-expect-error: the name of a parameter is checked
await shop.search({ q: 'lamp', perpage: 3 })
const token: string = await makeScopedToken('ss_', { expires_at: 1, filter_by: 'price:>1' })
// @ts-expect-error: a token has an end
await makeScopedToken('ss_', { filter_by: 'price:>1' })
const stores = { shop: 'rs_1' }
const widgets = instantSearchClient({ url: 'https://a.example', stores, events })
const insights = insightsClient(events)
const dropdown = dropdownPlugin({ url: 'https://a.example', storeId: 'shop', readSecret: 'rs_1', events, onSearch: ({ query }) => query.trim() })
export { dropdown, insights, widgets }
export { found, known, price, schema, title, token }
`

/** Accepted by InstantSearch and Autocomplete, according to their types. */
const WIDGETS = `
import type { autocomplete } from '@algolia/autocomplete-js'
import type { InstantSearchOptions } from 'instantsearch.js'
import { insightsClient, instantSearchClient } from '@aisle/instantsearch-adapter'
import { dropdownPlugin } from '@aisle/instantsearch-adapter/autocomplete'
import { AisleEvents } from '@aisle/events'
const url = 'https://a.example'
const events = new AisleEvents({ url, writeKey: 'wk', consent: true })
export const search: InstantSearchOptions = {
  indexName: 'shop',
  searchClient: instantSearchClient({ url, stores: { shop: 'rs' }, events }),
  insights: { insightsClient: insightsClient(events) },
}
export const box: Parameters<typeof autocomplete>[0] = {
  container: '#box',
  plugins: [dropdownPlugin({ url, storeId: 'shop', readSecret: 'rs', events, onSearch: () => {} })],
}
`

suite('published packages', () => {
  let folder: string
  const tarballs = new Map<PublishedName, string>()
  const npm = (words: string[], cwd: string) =>
    run('npm', [...words, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd })

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'aisle-packages-'))
    for (const name of Object.keys(PUBLISHED) as PublishedName[]) {
      const built = join(folder, name)
      await buildPackage(name, built)
      await npm(['pack', '--pack-destination', folder], built)
      const made = readdirSync(folder).find((file) => file.startsWith(`aisle-${name}-`))
      tarballs.set(name, join(folder, made!))
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    await npm(['install', ...tarballs.values()], folder)
  })
  after(() => rmSync(folder, { recursive: true }))

  test('installs from a tarball, without other packages', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => name[0] !== '.')
    assert.deepEqual(installed, ['@aisle'])
  })

  test('publint and arethetypeswrong find nothing', async () => {
    const bin = join(REPOSITORY, 'node_modules/.bin')
    for (const tarball of tarballs.values()) {
      await run(join(bin, 'publint'), ['run', tarball, '--strict'])
      await run(join(bin, 'attw'), [tarball, '--profile', 'esm-only'])
    }
  })

  test('is small, and does not need Node', async () => {
    for (const [entry, bytesMax] of Object.entries(BYTES_MAX)) {
      const { outputFiles } = await build({
        stdin: { contents: `export * from '${entry}'`, resolveDir: folder },
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'neutral',
        target: 'es2022',
        write: false,
      })
      const bytes = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
      assert.ok(bytes <= bytesMax, `${entry}: ${bytes} bytes, at most ${bytesMax}`)
      assert.doesNotMatch(outputFiles[0]!.text, /node:|\bprocess\.|\bBuffer\b/)
    }
  })

  test('compiles in a strict project, including its declarations', async () => {
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER)
    await compile('consumer.ts', ['--skipLibCheck', 'false'])
  })

  test('has the types that InstantSearch and Autocomplete require', async () => {
    mkdirSync(join(folder, 'node_modules/@algolia'))
    for (const name of ['instantsearch.js', '@algolia/autocomplete-js']) {
      symlinkSync(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name))
    }
    writeFileSync(join(folder, 'widgets.ts'), WIDGETS)
    const bundled = ['--module', 'esnext', '--moduleResolution', 'bundler']
    await compile('widgets.ts', ['--skipLibCheck', ...bundled])
  })

  test('has the types of the contract, neither wider nor narrower', async () => {
    const names = Array.from(
      contractTypes().matchAll(/^export type (\w+) =/gm),
      ([, name]) => name!,
    )
    assert.ok(names.length > 100)
    const source = join(REPOSITORY, 'packages/contract/src/index.ts')
    const lines = names.map(
      (name) =>
        `export const to${name} = (a: Ours.${name}): Theirs.${name} => a\n` +
        `export const from${name} = (a: Theirs.${name}): Ours.${name} => a\n`,
    )
    const imports = `import type * as Ours from '${source}'\nimport type * as Theirs from '@aisle/client'\n`
    writeFileSync(join(folder, 'agreement.ts'), imports + lines.join(''))
    await compile('agreement.ts', ['--allowImportingTsExtensions', '--skipLibCheck'])
  })

  async function compile(file: string, words: readonly string[]): Promise<void> {
    const tsc = join(REPOSITORY, 'node_modules/.bin/tsc')
    const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', '']
    const target = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom']
    try {
      await run(tsc, [...strict, ...target, ...words, file], { cwd: folder })
    } catch (error) {
      assert.fail((error as { stdout: string }).stdout)
    }
  }
})
