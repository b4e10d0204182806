import type { CoreState } from './links.ts'

/** A part of a page under one heading: what the search of the docs finds. */
export interface Section {
  /** `search#typos`: page and anchor, as in the address below `/docs/`. */
  readonly id: string
  /** Of the page. */
  readonly title: string
  /** Absent: what stands before the first heading. */
  readonly heading?: string
  readonly text: string
}

/** Divides each page at its headings while it is rendered. */
export class SectionCollector {
  /** By page: one is rendered several times. */
  readonly #pages = new Map<string, readonly Section[]>()

  collect({ tokens, env }: CoreState): void {
    const { relativePath } = env as { relativePath?: string }
    if (relativePath === undefined) return
    const page = relativePath.replace(/\.md$/, '')
    // The home is a list of the pages.
    if (page === 'index') return
    const sections: { id: string; title: string; heading?: string; text: string }[] = []
    let title = ''
    for (const [i, token] of tokens.entries()) {
      const isHeading = tokens[i - 1]?.type === 'heading_open'
      const text = textOf(token)
      if (isHeading && tokens[i - 1]!.tag === 'h1') {
        title = text
        sections.push({ id: page, title, text: '' })
      } else if (isHeading) {
        const anchor = tokens[i - 1]!.attrGet('id') ?? ''
        sections.push({ id: `${page}#${anchor}`, title, heading: text, text: '' })
      } else if (text !== '') {
        const section = sections.at(-1)
        if (section !== undefined) section.text += `${section.text === '' ? '' : '\n'}${text}`
      }
    }
    this.#pages.set(page, sections)
  }

  all(): readonly Section[] {
    return [...this.#pages.keys()].toSorted().flatMap((page) => this.#pages.get(page)!)
  }
}

function textOf({ type, content, children }: CoreState['tokens'][number]): string {
  if (type === 'fence' || type === 'code_block') return content.trim()
  if (type !== 'inline') return ''
  return (children ?? [])
    .map((child) => {
      if (child.type === 'softbreak' || child.type === 'hardbreak') return ' '
      return child.type === 'text' || child.type === 'code_inline' ? child.content : ''
    })
    .join('')
    .trim()
}
