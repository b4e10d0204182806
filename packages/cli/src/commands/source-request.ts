import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import type { PutSourceRequest } from '@aisle/client'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { readPair, type CommonOptions } from './command.ts'
import { readConnection } from './source-connection.ts'

export interface AddOptions extends CommonOptions {
  readonly secretFile?: readonly string[]
  readonly map?: readonly string[]
  readonly idColumn?: string
  readonly schedule?: string
  readonly timeZone?: string
  readonly removeMissing?: boolean
  readonly maxRemoved?: string
  readonly stopOnError?: boolean
  readonly webhook?: string
  readonly email?: readonly string[]
  readonly guessSchema?: boolean
}

/** Variables with the secrets of a source: the command line shows them to every user. */
export const SECRET = 'AISLE_SOURCE_'
const SECRETS = [
  'password',
  'token',
  'access_token',
  'client_secret',
  'consumer_key',
  'consumer_secret',
  'webhook_secret',
] as const

/** @throws CommandError */
export async function readRequest(
  url: string | undefined,
  options: AddOptions,
  context: Context,
): Promise<PutSourceRequest> {
  const { map, idColumn, schedule, timeZone, webhook, email } = options
  const percent = options.maxRemoved === undefined ? undefined : Number(options.maxRemoved)
  if (percent !== undefined && !(percent >= 0 && percent <= 100)) {
    throw new CommandError('usage', '--max-removed must be from 0 to 100')
  }
  const connection = await readConnection(url, options as Readonly<Record<string, unknown>>)
  const secrets = await readSecrets(options.secretFile ?? [], context)
  return {
    connection,
    ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    mapping: Object.fromEntries((map ?? []).map(readPair)),
    ...(idColumn === undefined ? {} : { id_column: idColumn }),
    ...(schedule === undefined
      ? {}
      : {
          schedule: { cron: schedule, ...(timeZone === undefined ? {} : { time_zone: timeZone }) },
        }),
    deletions: options.removeMissing === true ? 'remove_missing' : 'keep',
    ...(percent === undefined ? {} : { max_removed_share: percent / 100 }),
    on_error: options.stopOnError === true ? 'stop' : 'skip',
    ...((webhook ?? email) === undefined
      ? {}
      : {
          alerts: {
            ...(webhook === undefined ? {} : { webhook }),
            ...(email === undefined ? {} : { emails: [...email] }),
          },
        }),
  }
}

/** Of the environment, and of files, which win. */
async function readSecrets(
  files: readonly string[],
  { environment, stdin }: Context,
): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const name of SECRETS) {
    const value = environment[SECRET + name.toUpperCase()] ?? ''
    if (value !== '') secrets[name] = value
  }
  const pairs = files.map(readPair)
  if (pairs.filter(([, file]) => file === '-').length > 1) {
    throw new CommandError('usage', 'Only one secret can be read from standard input')
  }
  for (const [name, file] of pairs) {
    if (!SECRETS.some((one) => one === name)) {
      throw new CommandError('usage', `"${name}" is none of the secrets ${SECRETS.join(', ')}`)
    }
    let value: string
    try {
      value = file === '-' ? await textOf(stdin) : await readFile(file, 'utf8')
    } catch (error) {
      throw new CommandError('usage', `Cannot read ${file}: ${(error as Error).message}`)
    }
    // A file of one line ends with a line break, which is not part of the secret.
    value = value.replace(/\r?\n$/, '')
    if (value === '') throw new CommandError('usage', `${file} is empty: expected the ${name}`)
    secrets[name] = value
  }
  return secrets
}
