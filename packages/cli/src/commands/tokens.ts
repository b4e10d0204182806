import { makeScopedToken, type TokenScope } from '@aisle/client'
import type { Context } from '../context.ts'
import { addCommand, addGroup, collect, Run, wholeNumber } from './command.ts'
import type { Command, CommonOptions } from './command.ts'

const EXPIRES_IN_DEFAULT_SECONDS = 3_600

/** Scoped tokens of a store, and the token of the administration. */
export function addTokenCommands(program: Command, context: Context): void {
  const token = addGroup(program, 'token', 'scoped tokens for searches, and the admin token')
  addCommand(token, {
    name: 'create',
    summary:
      'make a scoped token, to be used as a read secret; the signing secret is read from AISLE_SIGNING_SECRET, or asked for',
    talksTo: 'nobody',
    examples: [
      'aisle token create --filter "tenant:=acme" --expires-in 86400',
      'aisle token create --user ada --parameter page --parameter per_page',
    ],
  })
    .option('--filter <expression>', 'only documents that meet it can be found')
    .option('--preset <name>', 'the preset of each search')
    .option('--parameter <name>', 'a request may have this one (repeatable; default: all)', collect)
    .option('--user <id>', 'the user that counts, as if it was signed')
    .option('--origin <origin>', 'only pages of this origin (repeatable)', collect)
    .option(
      '--expires-in <seconds>',
      `how long it works (default ${EXPIRES_IN_DEFAULT_SECONDS})`,
      wholeNumber,
    )
    .action(async (options: CommonOptions & TokenOptions) => {
      const run = new Run(context, options)
      const scope = scopeOf(options, context.now())
      const made = await makeScopedToken(await run.signingSecret(), scope)
      run.print({ token: made, scope }, `${made}\n`)
    })
  addCommand(token, {
    name: 'rotate-admin',
    summary: 'make a new admin token; the previous one is no longer valid',
    talksTo: 'service',
  }).action(async (options: CommonOptions) => {
    const run = new Run(context, options)
    const rotated = await (await run.admin()).rotateAdminToken()
    run.print(rotated, `admin_token: ${rotated.admin_token}\n`)
  })
}

interface TokenOptions {
  readonly filter?: string
  readonly preset?: string
  readonly parameter?: string[]
  readonly user?: string
  readonly origin?: string[]
  readonly expiresIn?: number
}

function scopeOf(options: TokenOptions, nowMs: number): TokenScope {
  const { filter, preset, parameter, user, origin, expiresIn } = options
  return {
    expires_at: Math.floor(nowMs / 1_000) + (expiresIn ?? EXPIRES_IN_DEFAULT_SECONDS),
    ...(filter === undefined ? {} : { filter_by: filter }),
    ...(preset === undefined ? {} : { preset_name: preset }),
    ...(parameter === undefined ? {} : { parameters: parameter }),
    ...(user === undefined ? {} : { user_id: user }),
    ...(origin === undefined ? {} : { origins: origin }),
  }
}
