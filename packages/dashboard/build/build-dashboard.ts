import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/**
 * `npm ci` and `npm start` run this: it builds the dashboard into `dist` when its sources are not
 * those that `dist` was built of, else it does nothing. Where the build tools are not installed
 * (`--omit=dev`), what is there stays.
 */
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const DASHBOARD = join(REPOSITORY, 'packages/dashboard')
const DIST = join(DASHBOARD, 'dist')
const STAMP = join(DIST, 'built-from.txt')
/** What the build reads, as patterns from the root. */
const SOURCES = [
  'packages/dashboard/{src,build}/**/*',
  'packages/dashboard/{index.html,package.json}',
  'packages/{client,configuration,contract,import}/src/**/*.ts',
]
/** Compressed at build, so that nothing is compressed per request. */
const COMPRESSIBLE = /\.(js|css|html|svg|json)$/

/** @returns whether something was built */
export async function buildDashboard(): Promise<boolean> {
  const fingerprint = fingerprintOf(SOURCES)
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint) return false
  const tools = await buildTools()
  if (tools === undefined) return false
  const folder = join(DASHBOARD, `dist.${process.pid}`)
  const { viteConfig } = tools
  const config = viteConfig()
  await tools.build({
    ...config,
    logLevel: 'warn',
    build: { ...config.build, outDir: folder, emptyOutDir: true },
  })
  compress(folder)
  writeFileSync(join(folder, 'built-from.txt'), fingerprint)
  replaceFolder(folder, DIST)
  return true
}

async function buildTools() {
  try {
    const [{ build }, { viteConfig }] = await Promise.all([
      import('vite'),
      import('./vite-config.ts'),
    ])
    return { build, viteConfig }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function fingerprintOf(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of globSync([...patterns], { cwd: REPOSITORY }).toSorted()) {
    if (/\.test\.tsx?$/.test(path)) continue
    const full = join(REPOSITORY, path)
    try {
      hash.update(path).update(readFileSync(full))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
    }
  }
  return hash.digest('hex')
}

function compress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!COMPRESSIBLE.test(name)) continue
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/** Two builds at once end with one of the two, whole. */
function replaceFolder(from: string, to: string): void {
  const old = `${to}.old.${process.pid}`
  mkdirSync(to, { recursive: true })
  renameSync(to, old)
  renameSync(from, to)
  rmSync(old, { recursive: true, force: true })
}

if (import.meta.main) {
  const startedMs = performance.now()
  if (await buildDashboard()) {
    console.error(`Dashboard built in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
  }
}
