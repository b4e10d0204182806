import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { RefusedError, UnreachableError } from '@aisle/client'
import { NOWHERE } from './context.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { hintFor } from './hint.ts'
import { createProgram } from './program.ts'
import { runCommandLine } from './run-command-line.ts'

interface Said {
  readonly exit: number
  readonly out: string
  readonly err: string
}

async function run(words: string, environment: Readonly<Record<string, string>> = {}) {
  const said = { out: '', err: '' }
  const writes = (name: 'out' | 'err') => ({
    write: (text: string) => void (said[name] += text),
    isTerminal: false,
  })
  const context = { ...NOWHERE, environment, out: writes('out'), err: writes('err') }
  const exit = await runCommandLine(words.split(' '), context)
  return { exit, ...said } satisfies Said
}

/** Every group of commands by its words; leaves have none. */
async function groups() {
  return (await createProgram(NOWHERE)).commands.filter(({ commands }) => commands.length > 0)
}

suite('a command line', () => {
  test('has one verb for what is made or replaced: put, which set stands for', async () => {
    for (const group of await groups()) {
      for (const command of group.commands) {
        assert.notEqual(command.name(), 'set', group.name())
        if (command.name() === 'put') assert.deepEqual(command.aliases(), ['set'], group.name())
      }
    }
    const putting = (await groups()).filter(({ commands }) =>
      commands.some((command) => command.name() === 'put'),
    )
    assert.deepEqual(
      putting.map((group) => group.name()),
      [
        'schema',
        'collections',
        'presets',
        'rules',
        'strategies',
        'synonyms',
        'stopwords',
        'settings',
        'suggestions',
      ],
    )
  })

  test('takes --no-color anywhere, with every command', async () => {
    for (const words of ['--no-color settings get', 'settings get --no-color']) {
      assert.match((await run(words)).err, /Name the store/, words)
    }
    const colored = { FORCE_COLOR: '1', AISLE_STORE: 's' }
    assert.match((await run('search -- --no-color', colored)).err, /AISLE_READ_SECRET is not set/)
  })

  test('says what was probably meant, and where the options are listed', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['serch tent', /Did you mean search\?/],
      ['setings get', /Did you mean settings\?/],
      ['settings putt x=1', /Did you mean put\?/],
      ['search tent --filtr x', /Did you mean --filter\?[^]*add --help to a command/],
      ['search', /missing required argument 'query'[^]*--help/],
    ]
    for (const [words, says] of cases) {
      const { exit, err } = await run(words)
      assert.equal(exit, EXIT_CODES.usage.code, words)
      assert.match(err, says, words)
    }
  })

  test('says where a secret comes from that is not set', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['store list', /AISLE_ADMIN_TOKEN is not set: the service prints it at its first start/],
      ['search x', /AISLE_READ_SECRET is not set: .*aisle key rotate <store> read/],
      ['settings get', /AISLE_WRITE_SECRET is not set: .*aisle key rotate <store> write/],
      ['token create', /AISLE_SIGNING_SECRET is not set: .*aisle key rotate <store> signing/],
    ]
    for (const [words, says] of cases) {
      const { exit, err } = await run(words, { AISLE_STORE: 'shop' })
      assert.equal(exit, EXIT_CODES.usage.code, words)
      assert.match(err, says, words)
    }
    assert.match((await run('search x')).err, /Name the store: .*aisle store list/)
    const address = { AISLE_STORE: 'shop', AISLE_READ_SECRET: 'rs', AISLE_URL: 'localhost.test:1' }
    assert.match((await run('search x', address)).err, /did you mean http:\/\/localhost\.test:1\?/)
  })

  test('says what to look at after a refusal', () => {
    const refused = (status: number, code: 'invalid_credentials' | 'forbidden', error: string) =>
      hintFor(new RefusedError(status, { code, error }, ''))
    assert.match(
      refused(401, 'invalid_credentials', 'The store id or the secret is not valid') ?? '',
      /AISLE_STORE.*AISLE_READ_SECRET.*AISLE_URL/,
    )
    assert.match(
      refused(401, 'invalid_credentials', 'The admin token is not valid') ?? '',
      /AISLE_ADMIN_TOKEN/,
    )
    assert.match(
      refused(403, 'forbidden', 'This route needs the write secret') ?? '',
      /has the read secret/,
    )
    assert.match(hintFor(new UnreachableError('gone')) ?? '', /aisle serve/)
    assert.equal(hintFor(new Error('else')), undefined)
  })

  test('has help and a version where one looks for them', async () => {
    const help = await run('help search')
    assert.deepEqual([help.exit, help.err], [0, ''])
    assert.match(help.out, /^Usage: aisle search/)
    assert.match((await run('help')).out, /^Usage: aisle \[options\] \[command\]/)
    const version = await run('--version')
    assert.equal(version.exit, 0)
    assert.match(version.out, /^\d+\.\d+\.\d+\n$/)
  })
})
