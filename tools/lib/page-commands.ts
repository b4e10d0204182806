import { readSource } from './source-files.ts'

/** The commands of a page of the docs, the files that they read, and what they print. */
export class PageCommands {
  readonly #text: string
  readonly #files: ReadonlyMap<string, string>

  /** @param path such as `docs/reindex.md` */
  constructor(path: string) {
    this.#text = readSource(path).text
    this.#files = new Map(
      [...this.#text.matchAll(/^`(\S+)`\n\n```\w+\n([^]*?)^```$/gm)].map(
        ([, name, text]) => [name!, text!] as const,
      ),
    )
  }

  /** A file that the page shows under its name. */
  file(name: string): string {
    return this.#files.get(name)!
  }

  /**
   * The commands of a block, without `aisle`, with the files that they name.
   *
   * @param info what follows the fence: `sh setup`
   * @param write writes a file, and says where it is
   */
  of(info: string, write: (name: string, content: string) => string): string[][] {
    const [, block = ''] = new RegExp(`^\`\`\`${info}\n([^]*?)^\`\`\`$`, 'm').exec(this.#text) ?? []
    return block
      .trim()
      .split('\n')
      .map((command) =>
        command
          .split(' ')
          .slice(1)
          .map((word) => (this.#files.has(word) ? write(word, this.file(word)) : word)),
      )
  }

  /** The output that the page shows after a block. */
  outputAfter(info: string): string {
    const rest = this.#text.slice(this.#text.indexOf(`\`\`\`${info}\n`))
    return /^```text\n([^]*?)^```$/m.exec(rest)![1]!
  }

  /** The content of a block of output: `text document`. */
  outputOf(info: string): string {
    return new RegExp(`^\`\`\`${info}\n([^]*?)^\`\`\`$`, 'm').exec(this.#text)![1]!
  }
}
