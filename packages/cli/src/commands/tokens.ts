import { makeScopedToken, type TokenScope } from '@aisle/client'
import type { Context } from '../context.ts'
import { addCommand, addGroup, collect, wholeNumber, type Command } from './command.ts'

const EXPIRES_IN_DEFAULT_SECONDS = 3_600

/** Commands for scoped tokens of a store, and for the admin token. */
export function addCommands(program: Command, context: Context): void {
  const token = addGroup(program, 'token', 'scoped tokens for searches, and the admin token')
  addCommand(token, {
    name: 'create',
    summary:
      'create a scoped token, used in place of the read secret; reads the signing secret from AISLE_SIGNING_SECRET, or asks for it',
    talksTo: 'nobody',
    examples: [
      'aisle token create --filter "tenant:=acme" --expires-in 86400',
      'aisle token create --user ada --parameter page --parameter per_page',
    ],
  })
    .option('--filter <expression>', 'restrict searches to documents that match this filter')
    .option('--preset <name>', 'apply this preset to each search')
    .option(
      '--parameter <name>',
      'allow this request parameter (repeatable; default: all)',
      collect,
    )
    .option('--user <id>', 'user id of the searches, as if signed')
    .option('--no-events', 'do not allow events')
    .option('--origin <origin>', 'allow pages of this origin only (repeatable)', collect)
    .option(
      '--expires-in <seconds>',
      `lifetime of the token (default ${EXPIRES_IN_DEFAULT_SECONDS})`,
      wholeNumber,
    )
    .runs(async (run, options: TokenOptions) => {
      const scope = scopeOf(options, context.now())
      const made = await makeScopedToken(await run.signingSecret(), scope)
      run.print({ token: made, scope }, `${made}\n`)
    })
  addCommand(token, {
    name: 'rotate-admin',
    summary: 'create a new admin token and invalidate the previous one',
    talksTo: 'service',
  }).runs(async (run) => {
    const rotated = await (await run.admin()).rotateAdminToken()
    run.print(rotated, `admin_token: ${rotated.admin_token}\n`)
  })
}

interface TokenOptions {
  readonly filter?: string
  readonly preset?: string
  readonly parameter?: string[]
  readonly user?: string
  readonly events: boolean
  readonly origin?: string[]
  readonly expiresIn?: number
}

function scopeOf(options: TokenOptions, nowMs: number): TokenScope {
  const { filter, preset, parameter, user, events, origin, expiresIn } = options
  return {
    expires_at: Math.floor(nowMs / 1_000) + (expiresIn ?? EXPIRES_IN_DEFAULT_SECONDS),
    ...(filter === undefined ? {} : { filter_by: filter }),
    ...(preset === undefined ? {} : { preset_name: preset }),
    ...(parameter === undefined ? {} : { parameters: parameter }),
    ...(user === undefined ? {} : { user_id: user }),
    ...(events ? {} : { events }),
    ...(origin === undefined ? {} : { origins: origin }),
  }
}
