import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { REPOSITORY } from '@aisle/testing'
import { startDocumentedService } from './lib/documented-service.ts'
import { readSource } from './lib/source-files.ts'

const run = promisify(execFile)

test('docs/client.md is a program with the documented output', async (t) => {
  const server = await startDocumentedService()
  t.after(() => server.stop())
  const page = readSource('docs/client.md').text
  const blocks = (word: string) =>
    Array.from(page.matchAll(/^```(\w+)\n([^]*?)^```$/gm))
      .filter(([, name]) => name === word)
      .map(([, , text]) => text)
      .join('')
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', blocks('js')], {
    cwd: REPOSITORY,
    env: { ...process.env, AISLE_URL: server.url, AISLE_ADMIN_TOKEN: server.adminToken },
  })
  assert.equal(stdout, blocks('text'))
})
