import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { build } from 'tsdown'
import { contractTypes } from './contract-types.ts'
import { readSource } from './source-files.ts'

/** Packages that others install, and the page about each, which becomes its README. */
export const PUBLISHED = {
  client: 'docs/client.md',
  events: 'docs/events.md',
  'instantsearch-adapter': 'docs/instantsearch.md',
} as const
export type PublishedName = keyof typeof PUBLISHED

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  /** Names of entries and their sources: `{"./search": "./src/search-entry.ts"}`. */
  readonly exports: Readonly<Record<string, string>>
}

/**
 * Builds the published folder. Inside the repository packages are TypeScript, which Node runs
 * directly, but not from `node_modules`: installed packages must be JavaScript. Types of the
 * contract are written into the declarations, so that nothing else is installed.
 *
 * @param folder emptied first
 */
export async function buildPackage(name: PublishedName, folder: string): Promise<void> {
  const home = `packages/${name}`
  const manifest = JSON.parse(readSource(`${home}/package.json`).text) as Manifest
  const entries = Object.entries(manifest.exports).map(([path, source]) => ({
    path,
    file: path === '.' ? 'index' : path.slice('./'.length),
    source: join(home, source),
  }))
  writeContractTypes()
  await build({
    config: false,
    cwd: REPOSITORY,
    entry: Object.fromEntries(entries.map(({ file, source }) => [file, source])),
    outDir: relative(REPOSITORY, folder),
    clean: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    // For browsers, without Node's types.
    tsconfig: 'tsconfig.packages.json',
    dts: true,
    deps: { alwaysBundle: /./, onlyBundle: false },
    hash: false,
    outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
    logLevel: 'error',
  })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(installed(manifest), null, 2)}\n`)
  if (existsSync(join(REPOSITORY, PUBLISHED[name]))) {
    copyFileSync(join(REPOSITORY, PUBLISHED[name]), join(folder, 'README.md'))
  }
}

/** Where `tsconfig.packages.json` finds them. */
function writeContractTypes(): void {
  const folder = join(REPOSITORY, 'packages/contract/dist')
  mkdirSync(folder, { recursive: true })
  // Named unlike an entry: code shared by entries becomes a file of this name.
  writeFileSync(join(folder, 'contract.d.ts'), contractTypes())
}

function installed({ name, version, description, license, exports }: Manifest): object {
  const entries = Object.keys(exports).map((path) => {
    const file = path === '.' ? './index' : path
    return [path, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    engines: { node: '>=20.3' },
  }
}
