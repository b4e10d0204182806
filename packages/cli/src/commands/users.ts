import type { AuditEntry, AuditQuery, User } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'
import { counted, table } from '../terminal/table.ts'
import { addCommand, addGroup, collect, type Run, wholeNumber, type Command } from './command.ts'

const ROLES = ['member', 'analyst', 'editor', 'owner'] as const
type Role = (typeof ROLES)[number]
const STORE_ROLES = ['analyst', 'editor'] as const
type StoreRoles = NonNullable<User['stores']>

const STORE_OPTION = [
  '--in-store <id=role>',
  `role of a member in a store, ${STORE_ROLES.join(' or ')} (repeatable)`,
] as const

/** Commands for users, their sessions, and the audit log. */
export function addCommands(program: Command): void {
  const user = addGroup(program, 'user', 'users and their roles')
  addCommand(user, {
    name: 'create <login>',
    summary: 'create a user; reads the password from AISLE_USER_PASSWORD, or asks for it',
    talksTo: 'service',
    examples: [
      'aisle user create ada@example.com --role owner',
      'aisle user create ben@example.com --role member --in-store shop=editor --in-store outlet=analyst',
    ],
  })
    .requiredOption(
      '--role <role>',
      `one of ${ROLES.join(', ')}; a member has a role in some stores and does not see the others`,
    )
    .option(...STORE_OPTION, collect)
    .runs(async (run, login: string, options: { role: string; inStore?: string[] }) => {
      const rights = rightsOf(options.role, options.inStore)
      const client = await run.admin()
      const made = await client.createUser({ login, password: await newPassword(run), ...rights })
      run.print(made, userTable([made]))
    })
  addCommand(user, { name: 'list', summary: 'list all users', talksTo: 'service' }).runs(
    async (run) => {
      const { users } = await (await run.admin()).users()
      run.print(users, users.length === 0 ? 'No users.\n' : userTable(users))
    },
  )
  addCommand(user, {
    name: 'role <login> <role>',
    summary: 'change the role of a user, and the stores of a member; ends their sessions',
    talksTo: 'service',
    examples: ['aisle user role ben@example.com member --in-store shop=analyst'],
  })
    .option(...STORE_OPTION, collect)
    .runs(async (run, login: string, role: string, options: { inStore?: string[] }) => {
      const client = await run.admin()
      const changed = await client.changeUser(login, rightsOf(role, options.inStore))
      run.print(changed, userTable([changed]))
    })
  addCommand(user, {
    name: 'password <login>',
    summary: 'change the password (AISLE_USER_PASSWORD, or asks for it); ends their sessions',
    talksTo: 'service',
  }).runs(async (run, login: string) => {
    const client = await run.admin()
    const changed = await client.changeUser(login, { password: await newPassword(run) })
    run.print(changed, userTable([changed]))
  })
  addCommand(user, {
    name: 'delete <login>',
    summary: 'delete a user and their sessions',
    talksTo: 'service',
  }).runs(async (run, login: string) => {
    run.print(await (await run.admin()).deleteUser(login), `${printable(login)} deleted.\n`)
  })
  addCommand(user, {
    name: 'sessions <login>',
    summary: 'list the sessions of a user',
    talksTo: 'service',
  }).runs(async (run, login: string) => {
    const { sessions } = await (await run.admin()).sessions(login)
    const rows = sessions.map((one) => [
      one.session_id,
      one.created_at,
      one.last_used_at,
      one.address,
      printable(one.user_agent),
    ])
    const text = table(['session', 'begun', 'last used', 'from', 'with'], rows)
    run.print(sessions, sessions.length === 0 ? 'No sessions.\n' : text)
  })
  addCommand(user, {
    name: 'end-sessions <login>',
    summary: 'end all sessions of a user, or one',
    talksTo: 'service',
  })
    .option('--session <id>', 'only this session')
    .runs(async (run, login: string, options: { session?: string }) => {
      const ended = await (await run.admin()).endSessions(login, options.session)
      run.print(ended, `${counted(ended.sessions_ended, 'session')} ended.\n`)
    })

  const audit = addGroup(program, 'audit', 'the audit log')
  addCommand(audit, {
    name: 'list',
    summary: 'list the newest entries that match the filters',
    talksTo: 'service',
    examples: ['aisle audit list --login ada@example.com', 'aisle audit list --action rotateKey'],
  })
    .option('--login <login>', 'actions of this user')
    .option(
      '--actor <kind>',
      'admin_token, user, store_key or nobody (failed logins, wrong admin tokens)',
    )
    .option('--action <operation>', 'operation id of the API reference, such as rotateKey')
    .option('--of-store <id>', 'actions on this store')
    .option('--target <name>', 'actions on this user, preset, kind of key …')
    .option('--result <result>', 'done, refused or failed')
    .option('--from <time>', 'start of the period: 2026-01-31, or 2026-01-31T12:00:00Z')
    .option('--to <time>', 'end of the period, exclusive')
    .option('--before <id>', 'only entries older than this id, to continue a list', wholeNumber)
    .option('--limit <n>', 'maximum number of entries (default 50)', wholeNumber)
    .runs(async (run, options: AuditOptions) => {
      const page = await (await run.admin()).audit(queryOf(options))
      run.print(page, auditTable(page.entries))
      const { next_before: next } = page
      if (next !== undefined) run.note(`More entries: --before ${next}`)
    })
}

interface AuditOptions extends Omit<AuditQuery, 'store_id'> {
  readonly ofStore?: string
}

function queryOf(options: AuditOptions): AuditQuery {
  const { login, actor, action, ofStore, target, result, from, to, before, limit } = options
  const given = { login, actor, action, store_id: ofStore, target, result, from, to, before, limit }
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as AuditQuery
}

function roleOf(text: string): Role {
  const role = ROLES.find((one) => one === text)
  if (role !== undefined) return role
  throw new CommandError('usage', `"${text}" must be one of ${ROLES.join(', ')}`)
}

/** What the service checks further. A member without stores keeps those there are. */
function rightsOf(text: string, inStores: readonly string[] | undefined): RightsRequest {
  const role = roleOf(text)
  if (inStores === undefined) return { role }
  const stores = inStores.map((one) => {
    const at = one.lastIndexOf('=')
    const storeRole = STORE_ROLES.find((name) => name === one.slice(at + 1))
    if (at > 0 && storeRole !== undefined) return [one.slice(0, at), storeRole] as const
    throw new CommandError(
      'usage',
      `"${one}" must be a store id, \`=\`, and ${STORE_ROLES.join(' or ')}`,
    )
  })
  return { role, stores: Object.fromEntries(stores) }
}

interface RightsRequest {
  readonly role: Role
  readonly stores?: StoreRoles
}

/** Reads the password from the environment, or asks twice: hidden input is easily mistyped. */
async function newPassword({ context }: Run): Promise<string> {
  const given = context.environment['AISLE_USER_PASSWORD'] ?? ''
  if (given !== '') return given
  const { ask } = context
  if (ask === undefined) {
    throw new CommandError('usage', 'Set AISLE_USER_PASSWORD, or run the command on a terminal')
  }
  const password = await ask('Password: ', { hidden: true })
  if ((await ask('Repeat the password: ', { hidden: true })) === password) return password
  throw new CommandError('usage', 'The passwords differ; nothing was changed')
}

function userTable(users: readonly User[]): string {
  return table(
    ['login', 'role', 'stores', 'made', 'last login'],
    users.map((one) => [
      printable(one.login),
      one.role,
      one.stores === undefined
        ? 'all'
        : Object.entries(one.stores)
            .map(([storeId, role]) => `${storeId}=${role}`)
            .join(' '),
      one.created_at,
      one.last_login_at ?? 'never',
    ]),
  )
}

function auditTable(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return 'No entries match.\n'
  return table(
    ['id', 'at', 'who', 'action', 'store', 'target', 'result', 'from'],
    entries.map((one) => [
      String(one.id),
      one.at,
      printable(one.login ?? one.actor),
      one.action,
      printable(one.store_id ?? ''),
      printable(one.target ?? ''),
      resultOf(one),
      one.address,
    ]),
  )
}

function resultOf({ result, code, count }: AuditEntry): string {
  const text = code === undefined ? result : `${result}: ${code}`
  return count === undefined ? text : `${text}, ${count} times`
}
