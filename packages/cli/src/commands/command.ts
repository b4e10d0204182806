import { AisleClient, type Secret, type StoreClient } from '@aisle/client'
import { Command as PlainCommand } from 'commander'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { SECRET_SOURCES } from '../hint.ts'

/** Options shared by many commands. */
export interface CommonOptions {
  readonly url?: string
  readonly store?: string
  readonly json?: boolean
}

const URL_DEFAULT = 'http://127.0.0.1:7700'
const VARIABLES: Readonly<Record<Secret | 'signing', string>> = {
  admin: 'AISLE_ADMIN_TOKEN',
  signing: 'AISLE_SIGNING_SECRET',
  write: 'AISLE_WRITE_SECRET',
  read: 'AISLE_READ_SECRET',
}

/** The options and context of one command, and the clients that they open. */
export class Run {
  readonly context: Context
  readonly options: CommonOptions

  constructor(context: Context, options: CommonOptions) {
    this.context = context
    this.options = options
  }

  /** Writes the result: one line of JSON with `--json`, else text for a person. */
  print(value: unknown, text: string): void {
    this.context.out.write(this.options.json === true ? `${JSON.stringify(value)}\n` : text)
  }

  /** Writes a message that is not part of the result. */
  note(text: string): void {
    if (this.options.json !== true) this.context.err.write(`${text}\n`)
  }

  async admin(): Promise<AisleClient> {
    return new AisleClient({ url: this.#url(), adminToken: await this.#secret('admin') })
  }

  async store(secret: 'read' | 'write'): Promise<StoreClient> {
    const { environment } = this.context
    const storeId = this.options.store ?? environment['AISLE_STORE'] ?? ''
    if (storeId === '') {
      throw new CommandError(
        'usage',
        'Name the store: --store or AISLE_STORE (`aisle store list` shows all)',
      )
    }
    // The write secret also opens read routes.
    const given = environment[VARIABLES.write] ?? ''
    const kind =
      secret === 'read' && environment[VARIABLES.read] === undefined && given !== ''
        ? 'write'
        : secret
    const value = await this.#secret(kind)
    const url = this.#url()
    const client = new AisleClient(
      kind === 'write' ? { url, writeSecret: value } : { url, readSecret: value },
    )
    return client.store(storeId)
  }

  /** Opens a store of the same service whose write secret is known. */
  storeOf(storeId: string, writeSecret: string): StoreClient {
    return new AisleClient({ url: this.#url(), writeSecret }).store(storeId)
  }

  /** The signing secret: tokens are signed here, without the service. */
  async signingSecret(): Promise<string> {
    return await this.#secret('signing')
  }

  #url(): string {
    const url = this.options.url ?? this.context.environment['AISLE_URL'] ?? URL_DEFAULT
    if (!URL.canParse(url) || !/^https?:/.test(url)) {
      const meant = `http://${url}`
      const hint = URL.canParse(meant) ? `: did you mean ${meant}?` : ': expected http://host:port'
      throw new CommandError('usage', `"${url}" is not an address${hint}`)
    }
    return url
  }

  /**
   * Reads a secret from the environment or a prompt, never from the command line, which every user
   * can see in the process list.
   */
  async #secret(secret: Secret | 'signing'): Promise<string> {
    const variable = VARIABLES[secret]
    const value = this.context.environment[variable] ?? ''
    if (value !== '') return value
    const { ask } = this.context
    const answer = ask === undefined ? '' : await ask(`${variable}: `, { hidden: true })
    if (answer !== '') return answer
    throw new CommandError('usage', `${variable} is not set: ${SECRET_SOURCES[secret]}`)
  }
}

/** A command, or the program, that knows where it runs. */
export class Command extends PlainCommand {
  readonly context: Context

  constructor(context: Context, name?: string) {
    super(name)
    this.context = context
  }

  override createCommand(name?: string): Command {
    return new Command(this.context, name)
  }

  /** Sets the action: it is given the run, then the arguments, then the options. */
  runs<Given extends unknown[]>(action: (run: Run, ...given: Given) => Promise<void>): this {
    return this.action((...given: unknown[]) => {
      // Commander appends the options and the command.
      const run = new Run(this.context, given.at(-2) as CommonOptions)
      return action(run, ...(given as Given))
    })
  }
}

interface Leaf {
  /** The name, with its arguments: `get <name>`. */
  readonly name: string
  /** An alias. */
  readonly alias?: string
  readonly summary: string
  /** The target of its connection; `nobody`: it works on files. */
  readonly talksTo: 'store' | 'service' | 'nobody'
  readonly examples?: readonly string[]
}

/** Adds a command that does something. @returns the command, for its options and its action */
export function addCommand(parent: Command, leaf: Leaf): Command {
  const command = parent.command(leaf.name).description(leaf.summary).helpCommand(false)
  if (leaf.alias !== undefined) command.alias(leaf.alias)
  if (leaf.talksTo !== 'nobody') {
    command.option('--url <address>', `address of the service (AISLE_URL, default ${URL_DEFAULT})`)
  }
  if (leaf.talksTo === 'store') command.option('--store <id>', 'store id (AISLE_STORE)')
  command.option('--json', 'print the result as JSON on one line')
  if (leaf.examples !== undefined) {
    command.addHelpText(
      'after',
      `\nExamples:\n${leaf.examples.map((line) => `  ${line}\n`).join('')}`,
    )
  }
  return command
}

/** Adds a command that only groups subcommands. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary).helpCommand(false)
}

/** Parses `name=value`. */
export function readPair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new CommandError('usage', `"${text}" must be name=value`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new CommandError('usage', `"${text}" must be a whole number`)
}
