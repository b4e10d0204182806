import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ERROR_STATUS } from '@aisle/contract'
import { openApiText } from './openapi-text.ts'
import { accessPage } from './lib/access-page.ts'

interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, { enum?: string[] }> }
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly object[]
  readonly 'x-access': { readonly class: string }
  readonly parameters?: readonly { name: string; in: string }[]
  readonly responses: Record<string, { description: string }>
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const text = await openApiText()
const document = JSON.parse(text) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('docs/access.md has every operation, with who may call it (run npm run openapi)', () => {
  const page = read('docs/access.md')
  assert.equal(page, accessPage(page, text))
})

test('every reference of the document has a target', () => {
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    assert.ok(name !== undefined && document.components.schemas[name] !== undefined, name ?? '')
  }
})

test('every operation has a unique name and says who may call it', () => {
  const names = operations.map(({ operation }) => operation.operationId)
  assert.equal(new Set(names).size, names.length)
  for (const { path, operation } of operations) {
    assert.ok(operation.summary.length > 0)
    const isOpen = operation.security.length === 0
    const { class: of } = operation['x-access']
    const isBeyond = !/^\/(v1|api|analytics)\//.test(path) && of !== 'local'
    // Its key is the signature of its body.
    const isSigned = path.endsWith('/webhook')
    assert.equal(isOpen, of === 'login' || isBeyond || isSigned, path)
  }
})

test('every parameter of a path is described', () => {
  for (const { path, operation } of operations) {
    const parameters = operation.parameters ?? []
    const described = parameters.filter((one) => one.in === 'path').map((one) => one.name)
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    assert.deepEqual(described, names, path)
  }
})

test('registry, docs/errors.md and OpenAPI know the same error codes', () => {
  const registry = Object.entries(ERROR_STATUS).map(([code, status]) => `${code} ${status}`)
  const rows = [...read('docs/errors.md').matchAll(/^\| `(\w+)` \| (\d+) \| (.+) \|$/gm)]
  assert.deepEqual(
    rows.map(([, code, status]) => `${code} ${status}`),
    registry,
    'the table of docs/errors.md, in the order of the registry',
  )
  assert.deepEqual(document.components.schemas['ErrorCode']?.enum, Object.keys(ERROR_STATUS))
  const answered = new Set<string>()
  for (const { operation } of operations) {
    for (const [status, { description }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue
      for (const [, code] of description.matchAll(/`(\w+)`/g)) answered.add(`${code} ${status}`)
    }
  }
  assert.deepEqual([...answered].toSorted(), registry.toSorted(), 'codes that operations declare')
})
