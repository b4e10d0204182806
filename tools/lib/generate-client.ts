import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { openApiText } from '../openapi-text.ts'

/** Official generators of OpenAPI Generator that a test runs; there are about 60. */
export const CLIENT_LANGUAGES = ['python', 'php'] as const
export type ClientLanguage = (typeof CLIENT_LANGUAGES)[number]

const VERSION = '7.16.0'
const GENERATOR_CACHE = join(REPOSITORY, 'node_modules/.cache/openapi-generator')
const JAR = join(GENERATOR_CACHE, `openapi-generator-cli-${VERSION}.jar`)
const NAMES = 'packageName=aisle_api,invokerPackage=Aisle,hideGenerationTimestamp=true'

/**
 * Generates a client from the OpenAPI document with OpenAPI Generator, which Maven fetches once.
 *
 * @param folder emptied first
 * @throws Error that names what is missing: Java, Maven, or access to its registry
 */
export async function generateClient(language: ClientLanguage, folder: string): Promise<void> {
  mkdirSync(GENERATOR_CACHE, { recursive: true })
  if (!existsSync(JAR)) {
    run('Fetching OpenAPI Generator needs Maven (Debian: apt-get install maven)', 'mvn', [
      '--quiet',
      '--batch-mode',
      'dependency:copy',
      `-Dartifact=org.openapitools:openapi-generator-cli:${VERSION}`,
      `-DoutputDirectory=${GENERATOR_CACHE}`,
    ])
  }
  rmSync(folder, { recursive: true, force: true })
  const document = join(GENERATOR_CACHE, `openapi-${process.pid}.json`)
  writeFileSync(document, JSON.stringify(await documentForGenerators()))
  try {
    const words = ['generate', '-i', document, '-g', language, '-o', folder]
    run('OpenAPI Generator needs Java 11 or newer', 'java', [
      '-jar',
      JAR,
      ...words,
      `--additional-properties=${NAMES}`,
    ])
  } finally {
    rmSync(document)
  }
}

/**
 * The client of the current document, generated once.
 *
 * @returns its folder in the cache, which has no other client of this language
 */
export async function cachedClient(language: ClientLanguage): Promise<string> {
  const source = [VERSION, NAMES, JSON.stringify(await documentForGenerators())].join('\n')
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 16)
  const name = `${language}-${digest}`
  const folder = join(GENERATOR_CACHE, name)
  if (existsSync(folder)) return folder
  const unfinished = join(GENERATOR_CACHE, `new-${name}-${process.pid}`)
  await generateClient(language, unfinished)
  for (const other of readdirSync(GENERATOR_CACHE)) {
    if (!other.startsWith(`${language}-`)) continue
    rmSync(join(GENERATOR_CACHE, other), { recursive: true, force: true })
  }
  renameSync(unfinished, folder)
  return folder
}

/**
 * The document without what the generators do not support: they type a constant true or false as a
 * string, and in PHP `highlight` and `_highlight` of the two forms of a hit collide. Their hits are
 * wrapped.
 */
async function documentForGenerators(): Promise<object> {
  const document = withoutConstants(JSON.parse(await openApiText())) as {
    components: { schemas: Record<string, { properties: Record<string, { items: unknown }> }> }
  }
  const { hits } = document.components.schemas['SearchResponse']!.properties
  hits!.items = { $ref: '#/components/schemas/SearchHit' }
  return document
}

function withoutConstants(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutConstants)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const isConstant = entries.some(([name, one]) => name === 'const' && typeof one === 'boolean')
  if (!isConstant)
    return Object.fromEntries(entries.map(([name, one]) => [name, withoutConstants(one)]))
  return { ...Object.fromEntries(entries.filter(([name]) => name !== 'const')), type: 'boolean' }
}

function run(need: string, command: string, words: readonly string[]): void {
  try {
    execFileSync(command, words, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 240_000 })
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string }
    throw new Error(`${need}: ${(stderr?.toString() || message).slice(0, 500)}`, { cause: error })
  }
}
