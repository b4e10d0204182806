import type { StoreKey } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { table } from '../terminal/table.ts'
import { addCommand, addGroup, wholeNumber, type Command } from './command.ts'

const KINDS = ['read', 'write', 'events', 'signing'] as const

/** Commands for the secrets of a store. */
export function addCommands(program: Command): void {
  const key = addGroup(program, 'key', 'secrets of a store')
  addCommand(key, {
    name: 'list <store-id>',
    summary: 'show the read secret and the events key, and when each key was last used',
    talksTo: 'service',
  }).runs(async (run, id: string) => {
    const { keys } = await (await run.admin()).keys(id)
    const rows = keys.flatMap(rowsOf)
    run.print(keys, table(['kind', 'secret', 'made', 'last used', 'valid until'], rows))
  })
  addCommand(key, {
    name: 'rotate <store-id> <kind>',
    summary:
      'create a new secret (kind: read, write, events or signing); the old one stays valid for a grace period',
    talksTo: 'service',
    examples: ['aisle key rotate shop read', 'aisle key rotate shop write --grace-seconds 0'],
  })
    .option('--grace-seconds <n>', 'how long the old one stays valid (default: a day)', wholeNumber)
    .runs(async (run, id: string, kind: string, options: { graceSeconds?: number }) => {
      const known = kindOf(kind)
      const { graceSeconds } = options
      const rotated = await (
        await run.admin()
      ).rotateKey(id, known, graceSeconds === undefined ? {} : { grace_seconds: graceSeconds })
      const { secret, previous_valid_until: until } = rotated
      run.print(rotated, `secret: ${secret}\nprevious_valid_until: ${until}\n`)
    })
  addCommand(key, {
    name: 'revoke <store-id> <kind>',
    summary: 'end the grace period of a replaced secret now',
    talksTo: 'service',
  }).runs(async (run, id: string, kind: string) => {
    const revoked = await (await run.admin()).revokePreviousKey(id, kindOf(kind))
    const text = revoked.revoked === 0 ? 'No replaced secret was valid.' : 'Revoked.'
    run.print(revoked, `${text}\n`)
  })
}

function kindOf(text: string): (typeof KINDS)[number] {
  const known = KINDS.find((one) => one === text)
  if (known !== undefined) return known
  throw new CommandError('usage', `"${text}" must be one of ${KINDS.join(', ')}`)
}

function rowsOf({ kind, secret, previous, ...use }: StoreKey): string[][] {
  const rows = [[kind, secret ?? '(shown only once)', ...timesOf(use), 'replaced']]
  if (previous !== undefined) {
    rows.push([kind, '(previous)', ...timesOf(previous), previous.valid_until])
  }
  return rows
}

function timesOf(use: Pick<StoreKey, 'created_at' | 'last_used_at'>): string[] {
  return [use.created_at ?? 'unknown', use.last_used_at ?? 'never']
}
