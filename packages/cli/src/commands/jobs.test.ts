import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { DocumentEditJob, StoreRestore, type TSchema } from '@aisle/contract'
import { NOWHERE } from '../context.ts'
import { runCommandLine } from '../run-command-line.ts'

// Goal: no command stumbles over a job, whatever became of it. Method: every command that reads
// jobs, against a service whose answers are made of the contract: every state, with and without
// what is optional.

interface Properties {
  readonly properties: Readonly<Record<string, TSchema & Shape>>
  readonly required?: readonly string[]
}

interface Shape {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly properties?: Properties['properties']
  readonly required?: readonly string[]
}

/** A value of a schema; objects without what is optional unless `isWhole`. */
function valueOf(schema: Shape, isWhole: boolean): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.type === 'integer' || schema.type === 'number') return 3
  if (schema.type === 'array') return []
  if (schema.type === 'boolean') return false
  if (schema.properties === undefined) return schema.type === 'object' ? {} : 'text'
  const { properties, required = [] } = schema
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => isWhole || required.includes(name))
      .map(([name, one]) => [name, valueOf(one, isWhole)]),
  )
}

const KINDS = { restores: StoreRestore, edits: DocumentEditJob } as unknown as Readonly<
  Record<string, Properties>
>
const UNDER_WAY = new Set(['verifying', 'copying', 'finding', 'changing'])

let answer: Record<string, unknown> = {}
const fake = createServer((request, response) => {
  const path = request.url ?? ''
  const isList = request.method === 'GET' && /\/(restores|edits)$/.test(path)
  const isBegun = path.endsWith('/restore')
  const body = isList
    ? { restores: [answer], edits: [answer] }
    : isBegun
      ? { restore: answer, store: { store_id: 'new', name: 'New', write_secret: 'ws' } }
      : answer
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

before(() => new Promise<void>((done) => void fake.listen(0, '127.0.0.1', done)))
after(() => void fake.close())

async function run(words: readonly string[]) {
  const said = { out: '', err: '' }
  const writes = (name: 'out' | 'err') => ({
    write: (text: string) => void (said[name] += text),
    isTerminal: name === 'err',
  })
  const { port } = fake.address() as AddressInfo
  const environment = {
    AISLE_URL: `http://127.0.0.1:${port}`,
    AISLE_ADMIN_TOKEN: 'x'.repeat(40),
    AISLE_STORE: 'shop',
    AISLE_WRITE_SECRET: 'ws_x',
  }
  const context = { ...NOWHERE, environment, out: writes('out'), err: writes('err') }
  const exit = await runCommandLine(words, context)
  return { exit, ...said }
}

/** Those that wait for the end of the job, which a job in progress never has here. */
const COMMANDS: Readonly<Record<string, readonly (readonly [words: string, waits: boolean])[]>> = {
  restores: [
    ['snapshot restores', false],
    ['snapshot cancel-restore some-id', false],
    ['snapshot restore some-snapshot shop --as new', true],
  ],
  edits: [
    ['documents edits', false],
    ['documents cancel some-id', true],
    ['documents undo some-id', true],
    ['documents edit --filter price:1 --delete', true],
  ],
}

suite('a command that reads jobs', () => {
  for (const [kind, commands] of Object.entries(COMMANDS)) {
    for (const [words, waits] of commands) {
      test(words, async () => {
        const schema = KINDS[kind]!
        const states = (schema.properties['state'] as Shape).enum!
        for (const state of states.filter((one) => !waits || !UNDER_WAY.has(one))) {
          for (const isWhole of [false, true]) {
            answer = { ...(valueOf(schema as Shape, isWhole) as object), state }
            for (const more of [[], ['--json']]) {
              const { exit, out, err } = await run([...words.split(' '), ...more])
              const where = `${state} ${String(isWhole)} ${more.join('')}: ${out}${err}`
              assert.doesNotMatch(
                out + err,
                /undefined|NaN|TypeError|Cannot read|not iterable/,
                where,
              )
              assert.ok(exit === 0 || (exit !== 1 && err !== ''), where)
              if (more.length > 0 && out !== '') JSON.parse(out)
            }
          }
        }
      })
    }
  }
})
