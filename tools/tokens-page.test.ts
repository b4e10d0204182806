import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { makeScopedToken } from '@aisle/client'
import { TokenScope } from '@aisle/contract'
import { openApiText } from './openapi-text.ts'
import { readSource } from './lib/source-files.ts'

const page = readSource('docs/tokens.md').text

suite('docs/tokens.md', () => {
  test('has the bytes of a token', async () => {
    const [, payload = ''] = /the payload `(\{.+?\})`/.exec(page) ?? []
    const token = await makeScopedToken('ss_example', JSON.parse(payload) as TokenScope)
    assert.equal(/^tk_\S+$/m.exec(page)?.[0], token)
  })

  test('has every member of a scope', () => {
    const [table = ''] = /\| member \|[^]+?\n\n/.exec(page) ?? []
    const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    assert.deepEqual(new Set(named), new Set(Object.keys(TokenScope.properties)))
  })

  test('has every operation that a token opens', async () => {
    const [table = ''] = /\| operation \|[^]+?\n\n/.exec(page) ?? []
    const named = [...table.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell]) => cell!.match(/\w+/g))
    const { paths } = JSON.parse(await openApiText()) as {
      paths: Record<
        string,
        Record<string, { operationId: string; 'x-access': { scoped?: string } }>
      >
    }
    const scoped = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter((operation) => operation['x-access'].scoped !== undefined)
    assert.deepEqual(new Set(named), new Set(scoped.map((one) => one.operationId)))
  })
})
