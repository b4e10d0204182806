import { readFile } from 'node:fs/promises'
import type { PutSourceRequest } from '@aisle/client'
import { IMPORT_FORMATS } from '@aisle/import'
import { CommandError } from '../exit-codes.ts'
import { wholeNumber, type Command } from './command.ts'

type Connection = PutSourceRequest['connection']
type Kind = Connection['kind']

const KINDS: readonly Kind[] = [
  'feed',
  'json_api',
  'sitemap',
  'postgres',
  'mysql',
  'shopify',
  'woocommerce',
]
const DATABASES: readonly Kind[] = ['postgres', 'mysql']
const SHOPS: readonly Kind[] = ['shopify', 'woocommerce']
/** Kinds that a URL names by its scheme. */
const SCHEMES: Readonly<Record<string, Kind>> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
}
const DATABASE_SHOWN = 'postgres://aisle@db.example:5432/shop'

type Given = Readonly<Record<string, unknown>>

interface Flag {
  /** As Commander takes it. */
  readonly flags: string
  readonly help: string
  readonly kinds: readonly Kind[]
  /** Members of the connection, `follow.column` within another one. */
  readonly member: string
  readonly read?: (text: string) => unknown
}

const numberOf = (text: string): number => {
  const value = Number(text)
  if (text !== '' && Number.isFinite(value)) return value
  throw new CommandError('usage', `"${text}" must be a number`)
}

/** The service checks the values; here each flag finds its member. */
const FLAGS: readonly Flag[] = [
  {
    flags: '--format <format>',
    help: `${IMPORT_FORMATS.join(', ')} (default: by the URL)`,
    kinds: ['feed'],
    member: 'format',
  },
  {
    flags: '--encoding <name>',
    help: 'encoding of the file (default: detected)',
    kinds: ['feed'],
    member: 'encoding',
  },
  {
    flags: '--delimiter <character>',
    help: 'delimiter of a table (default: detected)',
    kinds: ['feed'],
    member: 'delimiter',
  },
  {
    flags: '--username <name>',
    help: 'for HTTP basic authentication, with the secret password',
    kinds: ['feed'],
    member: 'username',
  },
  {
    flags: '--items <path>',
    help: 'where an answer has its list, such as data.products',
    kinds: ['json_api'],
    member: 'items',
  },
  {
    flags: '--header <name>',
    help: 'header with the secret token (default: Authorization)',
    kinds: ['json_api'],
    member: 'header',
  },
  {
    flags: '--pages <by>',
    help: 'how the next page is found: page, offset, cursor, next, link',
    kinds: ['json_api'],
    member: 'pages.by',
  },
  {
    flags: '--page-parameter <name>',
    help: 'query parameter with the page, the offset or the cursor',
    kinds: ['json_api'],
    member: 'pages.parameter',
  },
  {
    flags: '--page-path <path>',
    help: 'where an answer has the next cursor or URL',
    kinds: ['json_api'],
    member: 'pages.path',
  },
  {
    flags: '--first-page <number>',
    help: 'first value of the parameter (default: 1, or offset 0)',
    kinds: ['json_api'],
    member: 'pages.first',
    read: wholeNumber,
  },
  {
    flags: '--path-prefix <path>',
    help: 'beginning of the paths of product pages, such as /products/',
    kinds: ['sitemap'],
    member: 'path_prefix',
  },
  {
    flags: '--pages-max <count>',
    help: 'a site with more pages is refused (default: 10000)',
    kinds: ['sitemap'],
    member: 'pages_max',
    read: wholeNumber,
  },
  {
    flags: '--requests-per-second <count>',
    help: 'at most (default: 2)',
    kinds: ['json_api', 'sitemap'],
    member: 'requests_per_second',
    read: numberOf,
  },
  {
    flags: '--table <name>',
    help: 'table or view with a row for each document',
    kinds: DATABASES,
    member: 'table',
  },
  {
    flags: '--query <sql>',
    help: 'one SELECT, in place of the table; @FILE reads it from a file',
    kinds: DATABASES,
    member: 'query',
  },
  {
    flags: '--tls <how>',
    help: 'verify, require or off (default: verify)',
    kinds: DATABASES,
    member: 'tls',
  },
  {
    flags: '--certificate-authority <file>',
    help: 'PEM file of the authority that verify trusts',
    kinds: DATABASES,
    member: 'certificate_authority',
  },
  {
    flags: '--statement-timeout <seconds>',
    help: 'maximum duration of one query (default: 3600)',
    kinds: DATABASES,
    member: 'statement_timeout_seconds',
    read: wholeNumber,
  },
  {
    flags: '--follow <by>',
    help: 'how changes are found: replication (postgres only), updated_at',
    kinds: DATABASES,
    member: 'follow.by',
  },
  {
    flags: '--publication <name>',
    help: 'of replication (default: created by the source)',
    kinds: ['postgres'],
    member: 'follow.publication',
  },
  {
    flags: '--slot <name>',
    help: 'of replication (default: a name made for the source)',
    kinds: ['postgres'],
    member: 'follow.slot',
  },
  {
    flags: '--updated-at <column>',
    help: 'column with the time of the last change, for updated_at',
    kinds: DATABASES,
    member: 'follow.column',
  },
  {
    flags: '--tombstones <sql>',
    help: 'query of deleted rows, for updated_at; @FILE reads it from a file',
    kinds: DATABASES,
    member: 'follow.tombstones',
  },
  {
    flags: '--interval <seconds>',
    help: 'between two queries, for updated_at (default: 1)',
    kinds: DATABASES,
    member: 'follow.interval_seconds',
    read: wholeNumber,
  },
  {
    flags: '--overlap <seconds>',
    help: 'for which rows are read again, for updated_at (default: 10)',
    kinds: DATABASES,
    member: 'follow.overlap_seconds',
    read: wholeNumber,
  },
  {
    flags: '--client-id <id>',
    help: 'of an app, with the secret client_secret',
    kinds: ['shopify'],
    member: 'client_id',
  },
  {
    flags: '--include-hidden',
    help: 'also products that visitors of the shop do not find',
    kinds: SHOPS,
    member: 'include_hidden',
  },
]

/** Adds the options of all kinds. The help of an option begins with the kinds that take it. */
export function addConnectionOptions(command: Command): Command {
  command
    .option('--connection <file>', 'JSON file with the connection, instead of a URL')
    .option('--kind <kind>', `${KINDS.join(', ')} (default: by the URL, or feed)`)
  for (const { flags, help, kinds } of FLAGS) command.option(flags, `${kinds.join(', ')}: ${help}`)
  return command
}

/** @throws CommandError for what the service could not name: a flag of another kind */
export async function readConnection(url: string | undefined, given: Given): Promise<Connection> {
  const file = given['connection']
  if ((url === undefined) === (file === undefined)) {
    throw new CommandError('usage', 'Name a URL, or a file with --connection')
  }
  const flags = FLAGS.filter((flag) => given[keyOf(flag)] !== undefined)
  if (url === undefined) {
    const [extra = given['kind'] === undefined ? undefined : '--kind'] = flags.map(nameOf)
    if (extra !== undefined) {
      throw new CommandError('usage', `${extra} is part of the file that --connection names`)
    }
    return readFileOf(String(file))
  }
  const kind = kindOf(url, given['kind'])
  const wrong = flags.find(({ kinds }) => !kinds.includes(kind))
  if (wrong !== undefined) {
    throw new CommandError(
      'usage',
      `${nameOf(wrong)} is for ${wrong.kinds.join(', ')}, not ${kind}`,
    )
  }
  const connection: Record<string, unknown> = {
    kind,
    ...(DATABASES.includes(kind) ? databaseOf(url, kind) : { url }),
  }
  for (const flag of flags) {
    const value = given[keyOf(flag)]
    const read = typeof value === 'string' ? await valueOf(flag, value) : value
    const [outer = '', inner] = flag.member.split('.')
    if (inner === undefined) connection[outer] = read
    else connection[outer] = { ...(connection[outer] as object | undefined), [inner]: read }
  }
  return connection as unknown as Connection
}

function kindOf(url: string, named: unknown): Kind {
  const byScheme = SCHEMES[URL.parse(url)?.protocol ?? '']
  if (named === undefined) return byScheme ?? 'feed'
  const kind = KINDS.find((one) => one === named)
  if (kind === undefined) {
    throw new CommandError('usage', `--kind must be one of ${KINDS.join(', ')}`)
  }
  if (byScheme !== undefined && byScheme !== kind) {
    throw new CommandError('usage', `The URL is of ${byScheme}, not ${kind}`)
  }
  return kind
}

function databaseOf(text: string, kind: Kind): object {
  const url = URL.parse(text)
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '')
  const isDatabase = url !== null && SCHEMES[url.protocol] === kind
  if (!isDatabase || url.hostname === '' || url.username === '' || database === '') {
    throw new CommandError('usage', `Name the database as ${DATABASE_SHOWN}`)
  }
  if (url.password !== '') {
    throw new CommandError(
      'usage',
      'Others can see the command line: set AISLE_SOURCE_PASSWORD, or use --secret-file password=FILE',
    )
  }
  if (url.search + url.hash !== '') {
    throw new CommandError('usage', 'Use options such as --tls in place of parameters of the URL')
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    database,
    user: decodeURIComponent(url.username),
  }
}

async function valueOf({ member, read }: Flag, text: string): Promise<unknown> {
  const isFile = text.startsWith('@') || member === 'certificate_authority'
  const mayBeFile = ['query', 'follow.tombstones', 'certificate_authority'].includes(member)
  if (!mayBeFile || !isFile) return read === undefined ? text : read(text)
  return readText(text.replace(/^@/, ''))
}

async function readFileOf(file: string): Promise<Connection> {
  const text = await readText(file)
  try {
    // The service checks its members.
    return JSON.parse(text) as Connection
  } catch (error) {
    throw new CommandError('usage', `Cannot read ${file}: ${(error as Error).message}`)
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError('usage', `Cannot read ${file}: ${(error as Error).message}`)
  }
}

/** `--page-path <path>` is `--page-path`, and `pagePath` among the options. */
function nameOf({ flags }: Flag): string {
  return flags.split(' ')[0]!
}

function keyOf(flag: Flag): string {
  return nameOf(flag)
    .slice(2)
    .replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
